import type { ContractModel, Model } from './model/index.ts'
import type { Observer } from './report/index.ts'

/** How many of the files that are to be reported have been analyzed. */
export interface FileProgress {
  readonly filesDone: number
  readonly files: number
}

/** Counts files over the passes of one scan: a file is done when every detector has looked at each of its contracts. */
export const countFiles = (paths: readonly string[], onProgress: (progress: FileProgress) => void) => {
  const open = new Set(paths)
  const reportDone = (): void => onProgress({ filesDone: paths.length - open.size, files: paths.length })
  reportDone()
  return {
    /** Hears of a pass over this model that reports the files that are `meant`. */
    during(model: Model, meant: (path: string) => boolean): Pick<Observer, 'analysed'> {
      const waiting = contractsByPath(model.contracts, (path) => open.has(path) && meant(path))
      return {
        analysed(contracts) {
          const before = open.size
          for (const contract of contracts) {
            const rest = waiting.get(contract.file.path)
            if (rest?.delete(contract) && rest.size === 0) open.delete(contract.file.path)
          }
          if (open.size !== before) reportDone()
        },
      }
    },
    /** After a pass; files without contracts are done with it. */
    end(meant: (path: string) => boolean): void {
      const before = open.size
      for (const path of open) if (meant(path)) open.delete(path)
      if (open.size !== before) reportDone()
    },
  }
}

const contractsByPath = (
  contracts: readonly ContractModel[],
  isWanted: (path: string) => boolean,
): Map<string, Set<ContractModel>> => {
  const byPath = new Map<string, Set<ContractModel>>()
  for (const contract of contracts) {
    const { path } = contract.file
    if (isWanted(path)) byPath.set(path, (byPath.get(path) ?? new Set()).add(contract))
  }
  return byPath
}
