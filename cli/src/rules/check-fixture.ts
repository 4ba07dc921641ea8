import { type Detector, scan } from '@assay/engine'
import { checkFixture as texts } from '../messages/rules.ts'

/** What is wrong with a fixture: lines that are marked and not reported, or the other way round; excuses that prove nothing. */
export interface FixtureCheck {
  readonly problems: readonly string[]
  /** Excuses that this fixture proves, as `<id>/<name>`. */
  readonly proven: readonly string[]
}

/** A rule that cannot be tested, because it threw. */
export class RuleThrew extends Error {
  readonly id: string

  constructor(id: string, cause: unknown) {
    super(id, { cause })
    this.id = id
  }
}

/**
 * The harness of our own detectors, for those of others. `// expect: <id>` on a line that must be reported, `// safe: <id>/<excuse>
 * <words>` on one that only this excuse keeps silent: with it switched off, exactly that line is reported besides.
 */
export function checkFixture(path: string, text: string, rules: readonly Detector[]): FixtureCheck {
  const lines = text.split('\n')
  const expected = lines.flatMap((line, index) => marksIn(line, 'expect').map((id) => `${index + 1} ${id}`))
  const own = new Set(rules.map(({ id }) => id))
  const reportedLines = (withoutExcuses: ReadonlySet<string> = new Set()): string[] => {
    const failed: [id: string, cause: unknown][] = []
    const observer = { failed: ({ id }: Detector, cause: unknown) => void failed.push([id, cause]) }
    const report = scan(text, { path, rules, withoutExcuses, observer })
    for (const [id, cause] of failed) throw new RuleThrew(id, cause)
    return [
      ...new Set(
        [...report.findings, ...report.advisories]
          .filter(({ detector }) => own.has(detector))
          .map(({ line, detector }) => `${line} ${detector}`),
      ),
    ]
  }
  const reported = reportedLines()
  const problems = difference(expected, reported, path)
  const proven: string[] = []
  lines.forEach((line, index) => {
    const excuse = /\/\/ safe: ([a-z0-9-]+\/[a-z0-9-]+)\s+\S/.exec(line)?.[1]
    if (excuse === undefined) return
    const id = excuse.slice(0, excuse.indexOf('/'))
    const more = reportedLines(new Set([excuse])).filter((each) => !reported.includes(each))
    if (more.length === 1 && more[0] === `${index + 1} ${id}`) proven.push(excuse)
    else problems.push(texts.notWhatKeepsLine(path, index + 1, excuse))
  })
  return { problems, proven }
}

const marksIn = (line: string, mark: 'expect'): string[] =>
  new RegExp(`// ${mark}: ([a-z0-9 -]+)`).exec(line)?.[1]?.trim().split(/\s+/) ?? []

function difference(expected: readonly string[], reported: readonly string[], path: string): string[] {
  const describe = (each: string, words: string) => `${path}:${each.split(' ')[0]}: ${each.split(' ')[1]} ${words}`
  return [
    ...expected.filter((each) => !reported.includes(each)).map((each) => describe(each, texts.markedNotReported)),
    ...reported.filter((each) => !expected.includes(each)).map((each) => describe(each, texts.reportedNotMarked)),
  ]
}
