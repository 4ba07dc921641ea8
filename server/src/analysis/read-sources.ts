import { unpack } from '../core/stored.ts'

interface Project {
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly remappings: readonly string[]
}

/** As the scan stored it: a single file as it came, a project as JSON. */
export function readSources(stored: Uint8Array, isProject: boolean): Project {
  const text = unpack(stored).toString()
  if (!isProject) return { files: [{ path: 'contract.sol', text }], remappings: [] }
  const { sources, remappings } = JSON.parse(text) as {
    sources: Record<string, { content: string }>
    remappings: readonly string[]
  }
  return { files: Object.entries(sources).map(([path, { content }]) => ({ path, text: content })), remappings }
}
