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

/** People know a weakness by the registry's name; on the wire it has the interface's. */
const nameOf = ({ swc, name }: Finding): string => (swc ? findWeakness(swc)?.registryTitle : undefined) ?? name

/** One line per rule that found something, the most severe first, housekeeping last. */
const fromFindings = (findings: readonly Finding[]): string[] => {
  const firsts = new Map<string, Finding>()
  for (const finding of findings)
    if (finding.swc !== null && !firsts.has(finding.detector)) firsts.set(finding.detector, finding)
  return [...firsts.values()].sort(byPriority).map((finding) => `${nameOf(finding)}: ${finding.recommendation}`)
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
  for (const all of byPractice.values()) {
    const open = all.filter(({ item }) => !isDone(item))
    const { item, category, isUrgent } = open[0] ?? all[0]!
    const words = open.length === 0 ? item : `${item} In ${pathsOf(open)}.`
    if (isUrgent && item.startsWith('To do: ')) urgent.push(words.slice('To do: '.length))
    checklist.set(category, [...(checklist.get(category) ?? []), words])
  }
  return {
    recommendations: [...new Set([...fromFindings(findings), ...urgent])].slice(0, maxRecommendations),
    checklist: [...checklist].map(([category, items]) => ({ category, items })),
  }
}

const isDone = (item: string): boolean => item.startsWith('Done: ')

/** `src/A.sol and 3 more files` */
const pathsOf = (files: readonly { readonly path: string }[]): string => {
  const [first, ...rest] = files
  if (rest.length === 0) return `\`${first!.path}\``
  return `\`${first!.path}\` and ${rest.length} more ${rest.length === 1 ? 'file' : 'files'}`
}
