export const unnamedFile = 'Contract.sol'

/**
 * The project that a scan most likely belongs to: scans of one project share findings, so that a later one shows what is fixed.
 * A text that was pasted is named by its last contract, which is the one that others lead to.
 */
export function suggestProject({ name, source }: { name: string; source: string }): string {
  if (name !== unnamedFile) return name.replace(/\.(sol|zip|tar\.gz|tgz)$/i, '')
  return lastContract(source) ?? ''
}

/** What a text that was pasted is called as a file. */
export function fileNameOf(source: string): string {
  const contract = lastContract(source)
  return contract ? `${contract}.sol` : unnamedFile
}

const lastContract = (source: string): string | undefined =>
  [...source.matchAll(/^\s*(?:abstract\s+)?contract\s+([A-Za-z_$][\w$]*)/gm)].at(-1)?.[1]
