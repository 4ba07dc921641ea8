import type { Model } from './model.ts'

export type * from './compiler-versions.ts'
export type * from './declaration.ts'
export type * from './diagnostic.ts'
export type * from './model.ts'
export type * from './source-file.ts'
export type * from './type.ts'

/** A file as the caller gives it. */
export interface InputFile {
  readonly path: string
  readonly text: string
}

export interface ModelOptions {
  /** `@oz/=lib/openzeppelin/`: prefix of an import path → prefix of a given file's path. */
  readonly remappings?: readonly string[]
}

export declare function buildModel(files: readonly InputFile[], options?: ModelOptions): Model
