import { useEffect, useId, useMemo, useState } from 'react'
import { palette as texts } from '../messages/components.ts'
import { Dialog } from './dialog.tsx'
import { matchEntries, type PaletteEntry, readPaletteEntries } from './palette-entries.ts'

/** Everything by name: pages, projects, detectors, and what the page adds. */
export function Palette({
  given,
  onClose,
}: {
  /** These alone, such as the definitions of a name. */
  given?: readonly PaletteEntry[] | undefined
  onClose: () => void
}) {
  const id = useId()
  const [entries, setEntries] = useState(given ?? [])
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  useEffect(() => {
    if (!given) readPaletteEntries((more) => setEntries((all) => [...all, ...more]))
  }, [given])
  const shown = useMemo(() => matchEntries(entries, query), [entries, query])
  const selected = Math.min(at, shown.length - 1)
  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return
    onClose()
    entry.run()
  }
  const move = (to: number) => {
    const next = (to + shown.length) % shown.length
    setAt(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <Dialog title={given ? texts.chooseDefinition : texts.goTo} open onClose={onClose}>
      <input
        type="search"
        role="combobox"
        data-first
        aria-expanded
        aria-controls={id}
        aria-activedescendant={shown.length > 0 ? `${id}-${selected}` : undefined}
        aria-label={texts.search}
        placeholder={texts.placeholder}
        className="w-full rounded-md border border-field bg-panel px-3 py-2 text-sm"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setAt(0)
        }}
        onKeyDown={(event) => {
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
          if (by !== undefined && shown.length > 0) {
            event.preventDefault()
            move(selected + by)
          } else if (event.key === 'Enter') choose(shown[selected])
        }}
      />
      <div id={id} role="listbox" aria-label={texts.results} className="mt-2 h-80 overflow-y-auto text-sm">
        {shown.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field, which names the selected entry
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: two functions may have one name and place
            key={index}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === selected}
            className={`flex min-h-8 cursor-pointer items-baseline gap-2 rounded px-2 py-1 ${index === selected ? 'bg-accent-soft' : 'hover:bg-sunken'}`}
            onClick={() => choose(entry)}
          >
            <span className="w-24 shrink-0 text-xs text-soft">{entry.kind}</span>
            <span className="shrink-0 font-medium">{entry.label}</span>
            <span className="min-w-0 flex-1 truncate text-right text-xs text-soft" title={entry.detail}>
              {entry.detail}
            </span>
          </div>
        ))}
        {shown.length === 0 && <p className="p-2 text-soft">{texts.nothingFound}</p>}
      </div>
    </Dialog>
  )
}
