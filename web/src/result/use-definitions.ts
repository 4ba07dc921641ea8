import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { CodePosition } from '../components/code-position.ts'
import { openPalette, type PaletteEntry, usePaletteEntries } from '../components/palette-entries.ts'
import { useLatest } from '../components/use-latest.ts'
import { useDefinitions as texts } from '../messages/result.ts'
import type { FoundDefinition } from '../playground/find-definition.ts'
import { findDefinitionsInBrowser } from '../playground/scan-in-browser.ts'
import type { ViewPlace, ViewSource } from './scan-view.ts'

/** Goes to where names are declared, found by the engine in this browser; files and declarations are in the palette too. */
export function useDefinitions(
  sources: readonly ViewSource[],
  path: string | undefined,
  shown: ViewPlace | null,
  onGo: (place: ViewPlace) => void,
) {
  const [problem, setProblem] = useState<string | null>(null)
  const trail = useRef<ViewPlace[]>([])
  const go = ({ path: file, line, column, endLine, endColumn }: FoundDefinition) => {
    if (shown) trail.current.push({ ...shown, file: shown.file ?? path })
    onGo({ file, line, column, endLine, endColumn })
  }
  const goTo = useLatest(async ({ line, column }: CodePosition) => {
    if (path === undefined) return
    try {
      const found = await findDefinitionsInBrowser({ files: sources, at: { path, line, column } })
      setProblem(found.length === 0 ? texts.notFound : null)
      const [only, other] = found
      if (only && !other) go(only)
      else if (only) openPalette(found.map((each) => entryOf(each, () => go(each))))
    } catch {
      setProblem(texts.failed)
    }
  })
  const queries = useQueryClient()
  usePaletteEntries(async () =>
    sources.length < 2
      ? []
      : sources.map(({ path: file }) => ({
          kind: texts.file,
          label: file.slice(file.lastIndexOf('/') + 1),
          detail: file,
          run: () => onGo({ file, line: 1, endLine: 1 }),
        })),
  )
  usePaletteEntries(async () => {
    if (sources.length === 0) return []
    const found = await queries.fetchQuery({
      queryKey: ['declarations', sources.map((each) => each.path), sources[0]?.text.length],
      queryFn: () => findDefinitionsInBrowser({ files: sources, at: null }),
      staleTime: Number.POSITIVE_INFINITY,
    })
    return found.map((each) => entryOf(each, () => go(each)))
  })
  return {
    goTo,
    problem,
    forget: () => setProblem(null),
    back: () => {
      const last = trail.current.pop()
      if (last) onGo({ ...last })
    },
  }
}

const entryOf = ({ kind, name, contract, path, line }: FoundDefinition, run: () => void): PaletteEntry => ({
  kind: `${kind[0]?.toUpperCase()}${kind.slice(1)}`,
  label: name,
  detail: [contract, `${path}:${line}`].filter(Boolean).join(' · '),
  run,
})
