import { projectChange as texts } from '../messages/home.ts'

export interface TrendPoint {
  scanId: string
  at: string
  score: number
}

export interface ProjectChange {
  score: number
  /** Against the scan before; null where there is none. */
  change: number | null
  /** Where the newest scan can be compared with the one before. */
  before: string | null
  newest: string
}

/** How a project moved with its newest scan; `trend` comes newest first. */
export function changeOf(trend: readonly TrendPoint[]): ProjectChange | undefined {
  const [newest, before] = trend
  if (!newest) return undefined
  return {
    score: newest.score,
    change: before ? newest.score - before.score : null,
    before: before?.scanId ?? null,
    newest: newest.scanId,
  }
}

/** The path of a line through the scores, the oldest at the left, in a box of this size. */
export function sparkline(trend: readonly TrendPoint[], width: number, height: number): string {
  const scores = trend.map(({ score }) => score).reverse()
  const step = scores.length > 1 ? width / (scores.length - 1) : 0
  return scores
    .map(
      (score, index) => `${index ? 'L' : 'M'}${(index * step).toFixed(1)} ${((1 - score / 100) * height).toFixed(1)}`,
    )
    .join(' ')
}

export interface Step {
  words: string
  to: '/scan' | '/keys' | '/docs'
  isDone: boolean
}

/** What a new account does first; gone once all of it is done. */
export function firstSteps(done: { scans: number; keys: number; usedKeys: number }): Step[] {
  return [
    { words: texts.scanYourFirstContract, to: '/scan', isDone: done.scans > 0 },
    { words: texts.createApiKey, to: '/keys', isDone: done.keys > 0 },
    { words: texts.addAssayCi, to: '/docs', isDone: done.usedKeys > 0 },
  ]
}
