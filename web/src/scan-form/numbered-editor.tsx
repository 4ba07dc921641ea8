import { useState } from 'react'

const LINE_PX = 20
const PADDING_PX = 12

/** A text field with line numbers. Lines do not wrap, so that they stay beside their numbers. */
export function NumberedEditor({
  id,
  value,
  onChange,
  rows,
  placeholder,
}: {
  id: string
  value: string
  onChange: (value: string) => void
  rows: number
  placeholder: string
}) {
  const [top, setTop] = useState(0)
  const lineCount = value.split('\n').length
  const numbers = Array.from({ length: lineCount }, (_, index) => index + 1).join('\n')
  return (
    <div
      className="relative overflow-hidden font-mono text-xs leading-5 outline-accent has-[textarea:focus-visible]:outline-2 has-[textarea:focus-visible]:-outline-offset-2"
      style={{ height: rows * LINE_PX + 24 }}
    >
      <pre
        aria-hidden="true"
        className="pointer-events-none absolute top-0 left-0 w-10 text-right text-soft select-none"
        style={{ transform: `translateY(${PADDING_PX - top}px)` }}
      >
        {numbers}
      </pre>
      {/* It begins beside the numbers, so that a long line does not scroll over them. */}
      <textarea
        id={id}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        placeholder={placeholder}
        className="relative ml-11 block h-full w-[calc(100%-2.75rem)] resize-none overflow-auto bg-transparent py-3 pr-3 pl-2 whitespace-pre outline-none"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      />
    </div>
  )
}
