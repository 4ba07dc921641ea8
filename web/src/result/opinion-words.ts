import { opinionWords as texts } from '../messages/result.ts'
import type { ViewOpinion } from './scan-view.ts'

/** `8123.417 milliseconds` → `8.1 s`. */
export function secondsOf(timeTaken: string): string {
  const milliseconds = Number.parseFloat(timeTaken)
  return Number.isFinite(milliseconds) ? `${(milliseconds / 1000).toFixed(1)} s` : timeTaken
}

/** How the model voted, in one sentence. */
export function verdictCounts({
  vulnerabilities,
  suppressed,
}: Pick<ViewOpinion, 'vulnerabilities' | 'suppressed'>): string {
  const all = [...vulnerabilities, ...suppressed]
  const count = (isSo: (entry: (typeof all)[number]) => boolean): number => all.filter(isSo).length
  const parts = [
    [count(({ aiVerdict }) => aiVerdict === 'confirmed'), 'confirmed'],
    [count(({ aiVerdict }) => aiVerdict === 'doubted'), 'doubted'],
    [count(({ aiVerdict }) => aiVerdict === 'unsure'), 'left open'],
    [count(({ agreement }) => agreement === 'ai'), texts.foundAiOnly],
  ] as const
  const said = parts.filter(([times]) => times > 0).map(([times, words]) => `${times} ${words}`)
  return said.length === 0 ? texts.noFindingsWereReviewed : `${said.join(', ')}.`
}
