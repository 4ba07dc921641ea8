import { type Definition, declarationsOf, definitionsAt, type InputFile } from '@assay/engine'

/** Where a name is declared; without a place: all that is declared. */
export interface DefinitionQuestion {
  files: readonly InputFile[]
  at: { path: string; line: number; column: number } | null
}

export type FoundDefinition = Definition

export const findDefinitions = ({ files, at }: DefinitionQuestion): readonly FoundDefinition[] =>
  at ? definitionsAt(files, at) : declarationsOf(files)
