import type { ViewSource } from './scan-view.ts'

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
