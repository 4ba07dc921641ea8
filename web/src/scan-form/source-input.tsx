import { lazy, Suspense, useId, useRef, useState } from 'react'
import { Button } from '../components/controls.tsx'
import { formatBytes } from '../components/format.ts'
import { sourceInput as texts } from '../messages/scan-form.ts'
import { NumberedEditor } from './numbered-editor.tsx'
import { type Chosen, droppedFiles, namedFiles, readChosen } from './read-dropped.ts'

const SourceView = lazy(() =>
  import('../components/source-view.tsx').then((module) => ({ default: module.SourceView })),
)

/** A text field stalls on megabytes: a longer source is shown, not edited. */
const longestEditable = 200_000

/** Paste, type, drop or choose a contract: ends as a name and a text. Several files or an archive go to `onProject`. */
export function SourceInput({
  name,
  source,
  onChange,
  onProject,
  rows = 16,
}: {
  name: string
  source: string
  onChange: (source: string, name: string) => void
  /** Where projects can be scanned; without it one file is all that is taken. */
  onProject?: (chosen: Exclude<Chosen, { kind: 'nothing' }>) => void
  rows?: number
}) {
  const id = useId()
  const picker = useRef<HTMLInputElement>(null)
  const folderPicker = useRef<HTMLInputElement>(null)
  const [dragging, setDragging] = useState(false)
  const [problem, setProblem] = useState('')
  const take = (chosen: Chosen) => {
    setProblem('')
    if (chosen.kind === 'nothing') return setProblem(chosen.problem)
    const [only, second] = chosen.kind === 'sources' ? chosen.sources : []
    if (only && !second) return onChange(only.text, only.path.split('/').at(-1) ?? only.path)
    if (onProject) return onProject(chosen)
    setProblem(texts.scansOneSolFile)
  }
  return (
    <fieldset
      aria-labelledby={`${id}-label`}
      onDragOver={(event) => {
        event.preventDefault()
        setDragging(true)
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={async (event) => {
        event.preventDefault()
        setDragging(false)
        take(await readChosen(await droppedFiles(event.dataTransfer.items)))
      }}
      className={`rounded-lg border ${dragging ? 'border-accent bg-accent-soft' : 'border-line bg-panel'}`}
    >
      <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-2">
        <label id={`${id}-label`} htmlFor={id} className="text-sm font-medium">
          Contract source
        </label>
        <input
          aria-label="File name"
          className="max-w-60 min-w-32 flex-1 rounded border border-line bg-panel px-2 py-1 font-mono text-xs text-soft hover:border-field focus:border-field"
          value={name}
          onChange={(event) => onChange(source, event.target.value)}
        />
        <span className="flex-1 max-sm:hidden" />
        <input
          ref={picker}
          type="file"
          multiple={onProject !== undefined}
          accept={onProject ? '.sol,.zip,.gz,.tgz' : '.sol'}
          className="sr-only"
          tabIndex={-1}
          aria-label={texts.chooseSolidityFile}
          onChange={async (event) => take(await readChosen(namedFiles(event.target.files ?? [])))}
        />
        <Button onClick={() => picker.current?.click()}>
          {onProject ? (
            <span>
              Choose files<span className="max-sm:sr-only">{texts.orAZip}</span>
            </span>
          ) : (
            texts.chooseFile
          )}
        </Button>
        {onProject && (
          <>
            <input
              ref={(element) => {
                folderPicker.current = element
                // No attribute that React knows, though every browser does.
                element?.setAttribute('webkitdirectory', '')
              }}
              type="file"
              multiple
              className="sr-only"
              tabIndex={-1}
              aria-label={texts.chooseFolder}
              onChange={async (event) => take(await readChosen(namedFiles(event.target.files ?? [])))}
            />
            <Button onClick={() => folderPicker.current?.click()}>{texts.chooseFolder2}</Button>
          </>
        )}
      </div>
      {source.length > longestEditable ? (
        <div className="space-y-2 p-3">
          <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
            {formatBytes(source.length)}
            {texts.tooLongEditHere}
            <Button onClick={() => onChange('', name)}>Clear</Button>
          </p>
          <Suspense>
            <SourceView source={source} marks={[]} focus={null} height={240} label="Chosen source" />
          </Suspense>
        </div>
      ) : (
        <NumberedEditor
          id={id}
          rows={rows}
          placeholder={onProject ? texts.pasteSolidityContractDrop : texts.pasteSolidityContractDropSol}
          value={source}
          onChange={(text) => onChange(text, name)}
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
