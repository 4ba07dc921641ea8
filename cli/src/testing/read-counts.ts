/** Counts by severity, and what needs review, as a reader of each format would take them from it. */
export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export type Counted = Record<string, number>

const countBy = (items: readonly string[]): Counted =>
  Object.fromEntries(severities.map((severity) => [severity, items.filter((item) => item === severity).length]))

/** `2 critical, 3 high`, with whatever stands between them. */
const inWords = (text: string): Counted =>
  Object.fromEntries(
    severities.map((severity) => [severity, Number(new RegExp(`(\\d+) ${severity}\\b`).exec(text)?.[1] ?? 0)]),
  )

const reviewIn = (text: string): number => Number(/(\d+) needs? review/.exec(text)?.[1] ?? 0)

export interface Counts {
  readonly counts: Counted
  readonly review: number
}

/** What each format says about a scan; a file that could not be scanned is no finding. */
type Read = (out: string) => Counts

export const countReaders: Record<string, Read> = {
  text: (out) => ({
    counts: inWords(out.split('\n').find((line) => /^ {2}\d+ (critical|high|medium|low|info)/.test(line)) ?? ''),
    review: reviewIn(out),
  }),
  json: (out) => {
    const { totals } = JSON.parse(out) as { totals: { bySeverity: Counted; needsReview: number } }
    return { counts: totals.bySeverity, review: totals.needsReview }
  },
  sarif: (out) => {
    const { runs } = JSON.parse(out) as {
      runs: { results: { properties: { severity: string; needsReview: boolean } }[] }[]
    }
    const found = (runs[0]?.results ?? []).map(({ properties }) => properties)
    return {
      counts: countBy(found.filter(({ needsReview }) => !needsReview).map(({ severity }) => severity)),
      review: found.filter(({ needsReview }) => needsReview).length,
    }
  },
  html: (out) => {
    const counts = severities.map((severity) => [
      severity,
      Number(new RegExp(`<span class="tag ${severity}">(\\d+)</span> ${severity}</li>`).exec(out)?.[1]),
    ])
    return { counts: Object.fromEntries(counts) as Counted, review: reviewIn(out) }
  },
  markdown: (out) => {
    const row = /^\| critical \| high .*\n.*\n\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|/m.exec(out)
    return {
      counts: Object.fromEntries(severities.map((severity, at) => [severity, Number(row?.[at + 1])])),
      review: reviewIn(out),
    }
  },
  github: (out) => {
    const last = /^::notice title=Assay::(.*)$/m.exec(out)?.[1] ?? ''
    return { counts: inWords(last), review: reviewIn(last) }
  },
  'github-summary': (out) => ({
    counts: inWords(/^.*\*\*(\d+ [a-z]+(, \d+ [a-z]+)*)\*\*.*$/m.exec(out)?.[1] ?? ''),
    review: reviewIn(out),
  }),
  junit: (out) => ({
    counts: countBy([...out.matchAll(/<failure type="(\w+)"/g)].map((match) => match[1] ?? '')),
    review: out.match(/<skipped message="needs review/g)?.length ?? 0,
  }),
  gitlab: (out) => {
    const names: Record<string, string> = {
      blocker: 'critical',
      critical: 'high',
      major: 'medium',
      minor: 'low',
      info: 'info',
    }
    const entries = JSON.parse(out) as { check_name: string; description: string; severity: string }[]
    const found = entries.filter(({ check_name }) => check_name !== 'not-scanned')
    const isReview = ({ description }: { description: string }) => description.startsWith('Needs review: ')
    return {
      counts: countBy(found.filter((one) => !isReview(one)).map(({ severity }) => names[severity] ?? '')),
      review: found.filter(isReview).length,
    }
  },
}
