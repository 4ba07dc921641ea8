import { type Ref, useImperativeHandle, useRef, useState } from 'react'
import { severityColor } from '../components/severity.tsx'
import { lineRange } from './line-range.ts'
import type { LineMark } from './marks.ts'

export interface EditorHandle {
  /** Selects a line and brings it into sight. */
  show(line: number): void
}

const LINE_PX = 20
const PADDING_PX = 12

/** A text field with line numbers and a mark at each line that has something to say. Lines do not wrap, so that they stay beside their marks. */
export function MarkedEditor({
  id,
  value,
  onChange,
  onWake,
  marks,
  rows,
  placeholder,
  handle,
}: {
  id: string
  value: string
  onChange: (value: string) => void
  /** Somebody is about to type. */
  onWake?: (() => void) | undefined
  marks: readonly LineMark[]
  rows: number
  placeholder: string
  handle?: Ref<EditorHandle> | undefined
}) {
  const field = useRef<HTMLTextAreaElement>(null)
  const [top, setTop] = useState(0)
  useImperativeHandle(handle, () => ({
    show(line) {
      const element = field.current
      if (!element) return
      const { start, end } = lineRange(element.value, line)
      element.focus()
      element.setSelectionRange(start, end)
      element.scrollTop = Math.max(0, (line - rows / 2) * LINE_PX)
    },
  }))
  const lineCount = value.split('\n').length
  const numbers = Array.from({ length: lineCount }, (_, index) => index + 1).join('\n')
  return (
    <div className="relative overflow-hidden font-mono text-xs leading-5" style={{ height: rows * LINE_PX + 24 }}>
      <div
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 top-0"
        style={{ transform: `translateY(${PADDING_PX - top}px)` }}
      >
        {marks.map((mark) => (
          <div
            key={mark.line}
            data-marked-line={mark.line}
            title={mark.label}
            className="absolute inset-x-0 border-l-4"
            style={{
              top: (mark.line - 1) * LINE_PX,
              height: LINE_PX,
              borderColor: severityColor[mark.severity],
              background: `color-mix(in srgb, ${severityColor[mark.severity]} 12%, transparent)`,
            }}
          />
        ))}
        <pre className="absolute left-0 w-10 text-right text-soft select-none">{numbers}</pre>
      </div>
      <textarea
        ref={field}
        id={id}
        wrap="off"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        placeholder={placeholder}
        className="relative block size-full resize-none overflow-auto bg-transparent py-3 pr-3 pl-13 whitespace-pre outline-offset-[-2px]"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onFocus={onWake}
        onPointerEnter={onWake}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
      />
    </div>
  )
}
