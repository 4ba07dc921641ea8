import { applyEdits, chooseCompilerVersion, type Finding, proposeFixes, type Report, scanFiles } from '@assay/engine'

export interface FixQuestion {
  files: readonly { path: string; text: string }[]
  /** The file of the finding. */
  path: string
  finding: { detector: string; line: number; column: number; endLine: number; endColumn: number }
}

export interface FoundFix {
  title: string
  /** False: who passes a guard, or which payments must succeed, changes. */
  isSafe: boolean
  path: string
  before: string
  after: string
}

/** Larger projects are not scanned twice in a browser; the command line does it. */
const mostCharacters = 1_500_000

/**
 * The first patch after which the finding is gone, none has come and the file still parses; null where there is none. `assay fix`
 * keeps patches by the same rule.
 */
export function findFix({ files, path, finding }: FixQuestion): FoundFix | null {
  const before = files.find((file) => file.path === path)?.text
  if (before === undefined || files.reduce((sum, { text }) => sum + text.length, 0) > mostCharacters) return null
  const compilerVersion = chooseCompilerVersion(files.map(({ text }) => text))
  const fixes = proposeFixes(before, finding, { compilerVersion })
  if (fixes.length === 0) return null
  const old = scanFiles(files)
  for (const { title, safety, edits } of fixes) {
    const after = applyEdits(before, edits)
    const patched = scanFiles(files.map((file) => (file.path === path ? { path, text: after } : file)))
    if (isBetter(old, patched, path, finding)) return { title, isSafe: safety === 'safe', path, before, after }
  }
  return null
}

const allOf = (reports: readonly Report[]): Finding[] =>
  reports.flatMap(({ findings, advisories }) => [...findings, ...advisories])

function isBetter(
  old: readonly Report[],
  patched: readonly Report[],
  path: string,
  { detector, line, column }: FixQuestion['finding'],
): boolean {
  const report = patched.find((each) => each.path === path)
  const was = old.find((each) => each.path === path)
  if (!report || !was || report.unreadable || report.parseErrors.length > was.parseErrors.length) return false
  const fixed = allOf([was]).find((each) => each.detector === detector && each.line === line && each.column === column)
  if (!fixed || allOf([report]).some(({ fingerprint }) => fingerprint === fixed.fingerprint)) return false
  // By detector and function: a patched line is another text, and what was reported of it before is not new.
  const counts = new Map<string, number>()
  const kindOf = (each: Finding) => `${each.detector}\0${each.contract ?? ''}\0${each.function ?? ''}`
  const add = (each: Finding, by: number) => counts.set(kindOf(each), (counts.get(kindOf(each)) ?? 0) + by)
  for (const each of allOf(old)) add(each, 1)
  add(fixed, -1)
  for (const each of allOf(patched)) add(each, -1)
  return [...counts.values()].every((count) => count >= 0)
}
