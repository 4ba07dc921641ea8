import type { Followed } from '../input/follow-imports.ts'
import type { FoundSource } from '../input/read-source.ts'

/** Files that are scanned together: some to be reported, the others because those import them. */
export interface Program {
  /** Paths, in the order of the report. */
  readonly reported: readonly string[]
  readonly files: readonly { readonly path: string; readonly text: string }[]
  readonly importTargets: Followed['targets']
}

/** Of text to be reported, in one program. Decided by the text alone: the result must not depend on the number of cores. */
const maxProgramLength = 1_500_000

/**
 * Cuts what was given into programs. Files that import each other, directly or by others that are reported too, stay
 * together; small groups share a program, because what they import in common is then read once.
 */
export function makePrograms(given: readonly FoundSource[], followed: Followed): Program[] {
  const texts = new Map([...given, ...followed.imported].map(({ path, text }) => [path, text]))
  return packGroups(groupConnected(given, followed)).map((paths) => makeProgram(paths, texts, followed))
}

function groupConnected(given: readonly FoundSource[], { targets }: Followed): FoundSource[][] {
  const parent = new Map(given.map(({ path }) => [path, path]))
  const rootOf = (path: string): string => {
    let at = path
    while (parent.get(at) !== at) {
      const above = parent.get(at) as string
      parent.set(at, parent.get(above) as string)
      at = above
    }
    return at
  }
  for (const { path } of given) {
    for (const target of Object.values(targets[path] ?? {}))
      if (parent.has(target)) parent.set(rootOf(target), rootOf(path))
  }
  const groups = new Map<string, FoundSource[]>()
  for (const file of given) {
    const root = rootOf(file.path)
    const group = groups.get(root)
    if (group) group.push(file)
    else groups.set(root, [file])
  }
  return [...groups.values()]
}

function packGroups(groups: readonly (readonly FoundSource[])[]): string[][] {
  const packed: string[][] = []
  let room = 0
  for (const group of groups) {
    const length = group.reduce((sum, { text }) => sum + text.length, 0)
    if (packed.length === 0 || length > room) {
      packed.push([])
      room = maxProgramLength
    }
    packed.at(-1)?.push(...group.map(({ path }) => path))
    room -= length
  }
  return packed
}

function makeProgram(reported: readonly string[], texts: ReadonlyMap<string, string>, followed: Followed): Program {
  const needed = new Set(reported)
  const importTargets: Record<string, Readonly<Record<string, string>>> = {}
  // A set is walked also over what is added meanwhile.
  for (const path of needed) {
    const own = followed.targets[path]
    if (own === undefined) continue
    importTargets[path] = own
    for (const target of Object.values(own)) needed.add(target)
  }
  const files = [...needed].flatMap((path) => {
    const text = texts.get(path)
    return text === undefined ? [] : [{ path, text }]
  })
  return { reported, files, importTargets }
}

/** One program per reported file, for when all together did not come to an end. */
export const splitProgram = ({ reported, files, importTargets }: Program): Program[] =>
  reported.map((path) => {
    const texts = new Map(files.map((file) => [file.path, file.text]))
    return makeProgram([path], texts, { imported: [], missing: [], targets: importTargets })
  })

export const textOf = ({ files }: Program, path: string): string => files.find((file) => file.path === path)?.text ?? ''
