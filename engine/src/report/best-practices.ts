import type { Advice, Judged } from '../advice/index.ts'
import type { Finding } from './finding.ts'
import { byPriority } from './housekeeping.ts'
import { findWeakness } from './weaknesses.ts'

export interface BestPractices {
  /** What this file should change, the most severe first. */
  readonly recommendations: readonly string[]
  /** What applies to this file, by category; each item begins with `Done:`, `To do:` or `Check:`. */
  readonly checklist: Advice['checklist']
}

/** People know a vulnerability by the registry's name; on the wire it has the interface's. */
const nameOf = ({ swc, name }: Finding): string => (swc ? findWeakness(swc)?.registryTitle : undefined) ?? name

/** In a project a finding knows its file. */
type Placed = Finding & { readonly file?: string }

/** One line per rule that found something, the most severe first, housekeeping last; in a project with the place. */
const fromFindings = (findings: readonly Placed[]): string[] => {
  const byDetector = new Map<string, Placed[]>()
  for (const finding of findings)
    if (finding.swc !== null) {
      const known = byDetector.get(finding.detector)
      if (known) known.push(finding)
      else byDetector.set(finding.detector, [finding])
    }
  return [...byDetector.values()]
    .sort(([a], [b]) => byPriority(a!, b!))
    .map((all) => `${nameOf(all[0]!)}: ${all[0]!.recommendation}${placesOf(all)}`)
}

/** ` In \`Vault.withdraw\` (\`src/Vault.sol\`) and 2 more places.` */
function placesOf(all: readonly Placed[]): string {
  const { file, contract, function: name } = all[0]!
  if (file === undefined) return ''
  const scope = [contract, name].filter((part) => part !== null).join('.')
  const count = all.reduce((sum, { places = [] }) => sum + 1 + places.length, -1)
  const more = count === 0 ? '' : ` and ${count} more ${count === 1 ? 'place' : 'places'}`
  return ` In ${scope === '' ? `\`${file}\`` : `\`${scope}\` (\`${file}\`)`}${more}.`
}

/** What the findings ask for comes first, then what else the file lacks. */
export const toBestPractices = (
  { urgent, checklist }: Pick<Advice, 'urgent' | 'checklist'>,
  findings: readonly Finding[],
): BestPractices => ({
  recommendations: [...new Set([...fromFindings(findings), ...urgent])],
  checklist,
})

const maxRecommendations = 10

interface JudgedFile {
  readonly path: string
  readonly judged?: readonly Judged[]
}

/**
 * The advice of a project: each practice once, with the files that it concerns; one that a file still lacks is not done. What the findings
 * ask for comes first, at most ten recommendations in all.
 */
export function projectPractices(files: readonly JudgedFile[], findings: readonly Finding[]): BestPractices {
  const byPractice = new Map<string, (Judged & { readonly path: string })[]>()
  for (const { path, judged = [] } of files)
    for (const each of judged) {
      const known = byPractice.get(each.practice)
      if (known) known.push({ ...each, path })
      else byPractice.set(each.practice, [{ ...each, path }])
    }
  const urgent: string[] = []
  const checklist = new Map<string, string[]>()
  for (const [practice, all] of byPractice) {
    const open = all.filter(({ item }) => !isDone(item))
    if (open.length === 0 && byPractice.get(impliedBy.get(practice) ?? '')?.some(({ item }) => !isDone(item))) continue
    const { item, category, isUrgent } = open[0] ?? all[0]!
    const words = open.length === 0 ? item : `${item} In ${pathsOf(open)}.`
    if (isUrgent && item.startsWith('To do: ')) urgent.push(words.slice('To do: '.length))
    checklist.set(category, [...(checklist.get(category) ?? []), words])
  }
  return {
    recommendations: [...new Set([...fromFindings(findings), ...urgent])].slice(0, maxRecommendations),
    checklist: [...checklist].map(([category, items]) => ({
      category,
      items: [...items].sort((a, b) => rankOf(a) - rankOf(b)),
    })),
  }
}

/** What is missing in one file is not kept by the project: without a pragma a compiler is not pinned either. */
const impliedBy: ReadonlyMap<string, string> = new Map([['pinned-compiler', 'stated-compiler']])

/** What is to be done first, then what is to be checked. */
const rankOf = (item: string): number => ['To do: ', 'Check: ', 'Done: '].findIndex((mark) => item.startsWith(mark))

const isDone = (item: string): boolean => item.startsWith('Done: ')

/** `src/A.sol and 3 more files` */
const pathsOf = (files: readonly { readonly path: string }[]): string => {
  const [first, ...rest] = files
  if (rest.length === 0) return `\`${first!.path}\``
  return `\`${first!.path}\` and ${rest.length} more ${rest.length === 1 ? 'file' : 'files'}`
}
