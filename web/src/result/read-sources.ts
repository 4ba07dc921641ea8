import type { ListedFinding, ViewSource } from './scan-view.ts'

interface Answered {
  fileName?: string | null | undefined
  files?: readonly unknown[] | undefined
}

/** The stored source: the text of a single file, or of a project the sources by path in JSON. */
export function readSources(text: string, { fileName, files }: Answered): ViewSource[] {
  if (files === undefined) return [{ path: fileName ?? 'contract.sol', text }]
  const { sources } = JSON.parse(text) as { sources: Record<string, { content: string }> }
  return Object.entries(sources).map(([path, { content }]) => ({ path, text: content }))
}

/** Files with findings first, most of them leading; the others by path. */
export function filePaths(
  all: readonly ListedFinding[],
  sources: readonly ViewSource[],
): { path: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const { finding } of all) if (finding.file) counts.set(finding.file, (counts.get(finding.file) ?? 0) + 1)
  return sources
    .map(({ path }) => ({ path, count: counts.get(path) ?? 0 }))
    .sort((a, b) => b.count - a.count || (a.path < b.path ? -1 : 1))
}
