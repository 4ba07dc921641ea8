import { lazy, Suspense, useId, useRef, useState } from 'react'
import { Button } from './controls.tsx'
import { formatBytes } from './format.ts'

const SourceView = lazy(() => import('./source-view.tsx').then((module) => ({ default: module.SourceView })))

/** A text field stalls on megabytes: a longer source is shown, not edited. */
const longestEditable = 200_000

/** Paste, type, drop or choose a contract; always ends as a name and a text. */
export function SourceInput({
  name,
  source,
  onChange,
  rows = 16,
}: {
  name: string
  source: string
  onChange: (source: string, name: string) => void
  rows?: number
}) {
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const [dragging, setDragging] = useState(false)
  const [problem, setProblem] = useState('')
  const take = async (file: File | undefined) => {
    if (!file) return
    if (!file.name.endsWith('.sol')) return setProblem(`${file.name} is not a .sol file.`)
    setProblem('')
    onChange(await file.text(), file.name)
  }
  return (
    <fieldset
      aria-labelledby={`${id}-label`}
      onDragOver={(event) => {
        event.preventDefault()
        setDragging(true)
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDragging(false)
        take(event.dataTransfer.files[0])
      }}
      className={`rounded-lg border ${dragging ? 'border-accent bg-accent-soft' : 'border-line bg-panel'}`}
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
          Contract source
        </label>
        <input
          aria-label="File name"
          className="min-w-32 flex-1 rounded border border-transparent bg-transparent px-1 font-mono text-xs text-soft hover:border-line focus:border-line"
          value={name}
          onChange={(event) => onChange(source, event.target.value)}
        />
        <input
          ref={picker}
          type="file"
          accept=".sol"
          className="sr-only"
          tabIndex={-1}
          aria-label="Choose a Solidity file"
          onChange={(event) => take(event.target.files?.[0])}
        />
        <Button className="ml-auto" onClick={() => picker.current?.click()}>
          Choose a file
        </Button>
      </div>
      {source.length > longestEditable ? (
        <div className="space-y-2 p-3">
          <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
            {formatBytes(source.length)}, too long to edit here.
            <Button onClick={() => onChange('', name)}>Clear</Button>
          </p>
          <Suspense>
            <SourceView source={source} marks={[]} focus={null} height={240} label="Chosen source" />
          </Suspense>
        </div>
      ) : (
        <textarea
          id={id}
          rows={rows}
          spellCheck={false}
          autoComplete="off"
          placeholder="Paste a Solidity contract, or drop a .sol file here"
          className="block w-full resize-y bg-transparent p-3 font-mono text-xs leading-5 outline-offset-[-2px]"
          value={source}
          onChange={(event) => onChange(event.target.value, name)}
        />
      )}
      {problem && (
        <p role="alert" className="border-t border-line px-3 py-2 text-sm text-critical">
          {problem}
        </p>
      )}
    </fieldset>
  )
}
