import { objectOf, stringsOf } from './config-text.ts'

/** Undefined where nothing is set; none where what is set is no exact version. */
export type Compilers = readonly string[] | undefined

export function compilersIn(written: unknown): Compilers {
  if (written === undefined || written === null) return undefined
  const exact = /^v?(\d+\.\d+\.\d+)$/.exec(String(written))?.[1]
  return exact === undefined ? [] : [exact]
}

const versionsIn = (text: string): string[] =>
  [...text.matchAll(/\bversion['"]?\s*:\s*["'`](\d+\.\d+\.\d+)["'`]/g)].map(([, version = '']) => version)

/**
 * `solidity` of Hardhat: a version, a list of them, or an object; where that names constants, the versions of the whole file.
 * A version for particular files has to be the only one: which file it means is not looked up.
 */
export function hardhatCompilers(text: string): Compilers {
  if (!/(?<![\w$.])['"]?solidity['"]?\s*[:,}]/.test(text)) return undefined
  const inner = objectOf(text, 'solidity')
  const within = inner === undefined ? stringsOf(text, 'solidity') : versionsIn(inner)
  const versions = [...new Set(within.length > 0 ? within : versionsIn(text))]
  if (versions.some((version) => compilersIn(version)?.length === 0)) return []
  const isOverridden = versions.length > 1 && objectOf(inner ?? text, 'overrides') !== undefined
  return isOverridden ? [] : versions
}

/** `compilers.solc.version` of Truffle; with `pragma` it takes what each file admits. */
export function truffleCompilers(text: string): Compilers {
  const solc = objectOf(objectOf(text, 'compilers') ?? '', 'solc')
  if (solc === undefined || !/\bversion['"]?\s*:/.test(solc)) return undefined
  const [version] = stringsOf(solc, 'version')
  if (version === undefined) return []
  return version === 'pragma' ? undefined : compilersIn(version)
}
