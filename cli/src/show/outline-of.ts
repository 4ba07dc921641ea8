import { type ContractOutline, outline } from '@assay/engine'
import type { ProjectSources } from '../input/read-project.ts'
import { Complaint } from '../io.ts'
import { outlineOf as texts } from '../messages/show.ts'

export { compareStorage } from '@assay/engine'

/** Outlines of the requested files; what is only imported is read, not shown. */
export async function outlineOf({ programs }: ProjectSources): Promise<ContractOutline[]> {
  return programs.flatMap(({ files, reported, importTargets }) => {
    const wanted = new Set(reported)
    return outline(files, { importTargets }).contracts.filter(({ path }) => wanted.has(path))
  })
}

export function selectContracts(contracts: readonly ContractOutline[], names: readonly string[]): ContractOutline[] {
  const missing = names.find((name) => !contracts.some((contract) => contract.name === name))
  if (missing !== undefined) throw new Complaint(texts.contractThereNoSuch(missing))
  return names.length === 0 ? [...contracts] : contracts.filter(({ name }) => names.includes(name))
}
