import type { Setting } from './setting.ts'

export type Tool = 'Foundry' | 'Hardhat' | 'Truffle' | 'Brownie' | 'Ape' | 'Remix'

/** What the tools of a project say about where its code lies. */
export interface Project {
  readonly kind: Tool | 'folder'
  /** Further tools with settings in the same folder: Hardhat beside Foundry, say. */
  readonly others?: readonly Tool[]
  /** Absolute. */
  readonly root: string
  /** Folders with the code that gets deployed, absolute; empty: no tool says, so everything is. */
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  readonly scripts: readonly string[]
  /** Folders with other people's code. */
  readonly libraries: readonly string[]
  /** Folders that tools write. */
  readonly outputs: readonly string[]
  readonly remappings: readonly Remapping[]
  /** The versions of the compiler that the settings name, all of which would be used; none where they cannot be read. */
  readonly compilers?: readonly string[] | undefined
  /** What files of the project set, of the above. */
  readonly settings: readonly Setting[]
}

/** How solc and forge map imports: in files below `context`, what starts with `prefix` lies at `target`. */
export interface Remapping {
  /** Absolute; the empty one holds everywhere. */
  readonly context: string
  readonly prefix: string
  /** Absolute. */
  readonly target: string
}

/** The tools of a project, the main one first. */
export const toolsOf = ({ kind, others = [] }: Project): readonly Tool[] => (kind === 'folder' ? [] : [kind, ...others])

export class BrokenConfig extends Error {
  readonly path: string
  constructor(path: string, reason: string) {
    super(reason)
    this.path = path
  }
}
