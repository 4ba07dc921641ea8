/** The part of a program that a change of one file can matter to: all that import the file, and all that these import. */
import type { InputFile } from '@assay/engine'
import type { Model, SourceFile } from '../../engine/src/model/index.ts'
import { isForTests } from '../../engine/src/model/index.ts'

export const neighbourhoodOf = (model: Model, files: readonly InputFile[], path: string): readonly InputFile[] => {
  const importers = new Map<string, SourceFile[]>()
  for (const file of model.files)
    for (const { target } of file.imports)
      if (target && !isForTests(file.path)) importers.set(target.path, [...(importers.get(target.path) ?? []), file])
  const changed = model.files.find((file) => file.path === path)
  const near = new Set(changed ? [changed] : [])
  for (const file of near) for (const importer of importers.get(file.path) ?? []) near.add(importer)
  for (const file of near) for (const { target } of file.imports) if (target && !target.isStub) near.add(target)
  const paths = new Set([...near].map((file) => file.path))
  return files.filter((file) => paths.has(file.path))
}
