import { useEffect } from 'react'
import { useLatest } from './use-latest.ts'

/** Something that can be gone to or done by typing a part of its name. */
export interface PaletteEntry {
  /** `Page`, `Project`, `Function`. */
  kind: string
  label: string
  /** Where it is, or what it is called elsewhere: searched too. */
  detail?: string | undefined
  run: () => void
}

type Source = () => Promise<readonly PaletteEntry[]>

const sources = new Set<Source>()

/** Entries of a page, requested when the palette opens while the page is shown. */
export function usePaletteEntries(read: Source): void {
  const newest = useLatest((give: (entries: Promise<readonly PaletteEntry[]>) => void) => give(read()))
  useEffect(() => {
    const source: Source = () => new Promise((resolve) => newest((entries) => resolve(entries)))
    sources.add(source)
    return () => {
      sources.delete(source)
    }
  }, [newest])
}

/** Each as it comes: a source that fails or takes long keeps nobody waiting. */
export function readPaletteEntries(onEntries: (entries: readonly PaletteEntry[]) => void): void {
  for (const source of sources) source().then(onEntries, () => undefined)
}

const opener = new EventTarget()

/** Opens the palette with these alone, or with all there are. */
export const openPalette = (entries?: readonly PaletteEntry[]): void => {
  opener.dispatchEvent(new CustomEvent('open', { detail: entries }))
}

export function onPaletteOpen(open: (entries: readonly PaletteEntry[] | undefined) => void): () => void {
  const listener = (event: Event) => open((event as CustomEvent).detail ?? undefined)
  opener.addEventListener('open', listener)
  return () => opener.removeEventListener('open', listener)
}

const mostShown = 50

/** Those with every typed word in them: the very name, then names that begin with the first word before names that have it, before the rest. */
export function matchEntries(entries: readonly PaletteEntry[], query: string): PaletteEntry[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const [first = ''] = words
  const rankOf = ({ label }: PaletteEntry): number => {
    const name = label.toLowerCase()
    if (name === first) return 0
    const at = name.indexOf(first)
    return at === 0 ? 1 : at > 0 ? 2 : 3
  }
  return entries
    .filter(({ kind, label, detail = '' }) => {
      const text = `${kind} ${label} ${detail}`.toLowerCase()
      return words.every((word) => text.includes(word))
    })
    .map((entry) => ({ entry, rank: rankOf(entry) }))
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostShown)
    .map(({ entry }) => entry)
}
