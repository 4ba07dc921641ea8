import { describe, expect, test } from 'vitest'
import { loadCounted } from '../../../tools/count-steps.ts'
import { type Detector, defineDetector, type Hit } from '../detectors/define-detector.ts'
import { Behaviour } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { parse } from '../syntax/index.ts'
import { buildReports } from './build-reports.ts'
import type { Report } from './report.ts'

/** Reports every `boom` in the text, so that a test decides by a word where findings are. */
const detector = (id: string, swc: Detector['swc'], word: string, text: string): Detector =>
  defineDetector<Hit>({
    id,
    swc,
    title: id,
    severity: 'high',
    confidence: 'high',
    description: '',
    recommendation: '',
    references: [],
    cwe: [],
    candidates: () =>
      Array.from(text.matchAll(new RegExp(`\\b${word}\\b`, 'g')), ({ index }) => ({
        at: { start: index, end: index + word.length },
        message: '',
      })),
    finding: (hit) => hit,
  })

const behaviourOf = (text: string): Behaviour => new Behaviour(buildModel([{ path: 'a.sol', text }]))

const scan = (text: string, suppressions: 'honour' | 'ignore' = 'honour'): Report => {
  const [report] = buildReports({
    files: [{ path: 'a.sol', text, base: 0, ...parse(text, 0) }],
    behaviour: behaviourOf(text),
    detectors: [detector('reentrancy', 'SWC-107', 'boom', text), detector('locked-ether', null, 'lock', text)],
    suppressions,
  })
  if (!report) throw new Error('no report')
  return report
}

const inFunction = (...lines: string[]): string =>
  ['contract C {', '  uint boom0; uint boom1;', '  function f() public {', ...lines, '  }', '}'].join('\n')

const linesOf = (report: Report): { kept: number[]; suppressed: number[] } => ({
  kept: [...report.findings, ...report.advisories].map(({ line }) => line),
  suppressed: report.suppressed.map(({ line }) => line),
})

const codes = (report: Report): string[] => report.diagnostics.map(({ code }) => code)

describe('our own comments', () => {
  test('a trailing comment reaches its line', () => {
    const report = scan(inFunction('    boom; // assay-ignore SWC-107: the callee is ours', '    boom;'))
    expect(linesOf(report)).toEqual({ kept: [5], suppressed: [4] })
    expect(report.suppressed[0]?.suppression).toEqual({
      comment: 'assay-ignore SWC-107: the callee is ours',
      reason: 'the callee is ours',
      line: 4,
    })
  })

  test('a comment on its own line reaches the next line of code, over blank lines and other comments', () => {
    const report = scan(inFunction('    // assay-ignore SWC-107: ours', '', '    // more', '    boom;', '    boom;'))
    expect(linesOf(report)).toEqual({ kept: [8], suppressed: [7] })
  })

  test('a comment reaches a statement of several lines', () => {
    const report = scan(
      inFunction('    // assay-ignore SWC-107: ours', '    x.call{value: 1}(', '      boom', '    );', '    boom;'),
    )
    expect(linesOf(report)).toEqual({ kept: [8], suppressed: [6] })
  })

  test('assay-ignore-next-line and assay-ignore-line say it outright', () => {
    const report = scan(
      inFunction('    // assay-ignore-next-line SWC-107: a', '    boom;', '    boom; // assay-ignore-line SWC-107: b'),
    )
    expect(linesOf(report)).toEqual({ kept: [], suppressed: [5, 6] })
  })

  test('a detector id serves as well as a class', () => {
    expect(linesOf(scan(inFunction('    boom; // assay-ignore reentrancy: ours')))).toEqual({
      kept: [],
      suppressed: [4],
    })
  })

  test('a detector that was split from another still answers to its name, and its fingerprint stays', () => {
    const text = inFunction('    boom; // assay-ignore whole: as agreed')
    const scanWith = (one: Detector): Report =>
      buildReports({
        files: [{ path: 'a.sol', text, base: 0, ...parse(text, 0) }],
        behaviour: behaviourOf(text),
        detectors: [one],
      })[0]!
    const whole = scanWith(detector('whole', 'SWC-107', 'boom', text))
    const part = scanWith({ ...detector('part', 'SWC-107', 'boom', text), formerly: 'whole' })
    expect(linesOf(part)).toEqual({ kept: [], suppressed: [4] })
    expect(codes(part)).toEqual([])
    expect(part.suppressed[0]?.fingerprint).toBe(whole.suppressed[0]?.fingerprint)
  })

  test('several rules in one comment', () => {
    const report = scan(inFunction('    // assay-ignore SWC-107, locked-ether: ours', '    boom; lock;'))
    expect(linesOf(report)).toEqual({ kept: [], suppressed: [5, 5] })
  })

  test('another rule is not reached', () => {
    const report = scan(inFunction('    boom; // assay-ignore SWC-104: ours'))
    expect(linesOf(report)).toEqual({ kept: [4], suppressed: [] })
    expect(codes(report)).toEqual(['suppression-unused'])
  })

  test('a comment directly above a function reaches all of it and no more', () => {
    const text = [
      'contract C {',
      '  /// assay-ignore SWC-107: trusted',
      '  function f() public {',
      '    boom;',
      '  }',
      '  function g() public { boom; }',
      '}',
    ].join('\n')
    expect(linesOf(scan(text))).toEqual({ kept: [6], suppressed: [4] })
  })

  test('a comment between head and body reaches the function', () => {
    const text = [
      'contract C {',
      '  function f() public',
      '  // assay-ignore SWC-107: trusted',
      '  {',
      '    boom;',
      '    boom;',
      '  }',
      '}',
    ].join('\n')
    expect(linesOf(scan(text))).toEqual({ kept: [], suppressed: [5, 6] })
  })

  test('assay-ignore-file reaches the whole file from anywhere', () => {
    const report = scan(`${inFunction('    boom;', '    lock;')}\n/* assay-ignore-file SWC-107: a test double */`)
    expect(linesOf(report)).toEqual({ kept: [5], suppressed: [4] })
  })

  test('without a reason it has no effect and is reported', () => {
    const report = scan(inFunction('    boom; // assay-ignore SWC-107'))
    expect(linesOf(report)).toEqual({ kept: [4], suppressed: [] })
    expect(codes(report)).toEqual(['suppression-without-reason'])
  })

  test('without a rule, or with one we do not have, it is reported', () => {
    expect(codes(scan(inFunction('    boom; // assay-ignore: because')))).toEqual(['suppression-unknown-rule'])
    expect(codes(scan(inFunction('    boom; // assay-ignore SWC-999: because')))).toEqual(['suppression-unknown-rule'])
  })

  test('one that sets nothing aside is reported with its line and counts nowhere', () => {
    const report = scan(inFunction('    // assay-ignore SWC-107: long gone', '    x = 1;'))
    expect(report.diagnostics).toEqual([expect.objectContaining({ code: 'suppression-unused', line: 4 })])
    expect(report.findings).toEqual([])
  })

  test('words in a string are no comment', () => {
    const report = scan(inFunction('    s = "// assay-ignore SWC-107: no"; boom;'))
    expect(linesOf(report)).toEqual({ kept: [4], suppressed: [] })
  })

  test('on request they have no effect', () => {
    const report = scan(inFunction('    boom; // assay-ignore SWC-107: ours'), 'ignore')
    expect(linesOf(report)).toEqual({ kept: [4], suppressed: [] })
    expect(report.diagnostics).toEqual([])
  })
})

test('tens of thousands of comments are read to the end, in proportion', () => {
  const withComments = (count: number): string =>
    `${'// assay-ignore SWC-107: x\n'.repeat(count)}${inFunction('    boom;')}`
  expect(codes(scan(withComments(20_000)))).toContain('analysis-note')
  const counted = loadCounted<typeof import('../index.ts')>(new URL('../index.ts', import.meta.url))
  const stepsFor = (count: number): number => counted.countSteps((engine) => engine.scan(withComments(count)))
  expect(stepsFor(20_000)).toBeLessThan(stepsFor(2_000) * 15)
  counted.stop()
})

describe("other tools' comments", () => {
  test.each([
    ['slither-disable-next-line reentrancy-eth', 5],
    ['slither-disable-next-line reentrancy-eth,timestamp', 5],
    ['aderyn-ignore-next-line(reentrancy-state-change)', 5],
    ['aderyn-fp-next-line(reentrancy-state-change)', 5],
  ])('// %s', (comment, line) => {
    expect(linesOf(scan(inFunction(`    // ${comment}`, '    boom;', '    boom;')))).toEqual({
      kept: [6],
      suppressed: [line],
    })
  })

  test.each(['slither-disable-line reentrancy-no-eth', 'aderyn-ignore(reentrancy-state-change)'])(
    'trailing // %s',
    (comment) => {
      expect(linesOf(scan(inFunction(`    boom; // ${comment}`, '    boom;')))).toEqual({ kept: [5], suppressed: [4] })
    },
  )

  test.each([['slither-disable-start reentrancy-eth', 'slither-disable-end reentrancy-eth']])(
    '// %s … // %s',
    (start, end) => {
      const report = scan(inFunction('    boom;', `    // ${start}`, '    boom;', `    // ${end}`, '    boom;'))
      expect(linesOf(report)).toEqual({ kept: [4, 8], suppressed: [6] })
    },
  )

  test('without an end they reach to the end of the file', () => {
    const report = scan(inFunction('    boom;', '    // slither-disable-start reentrancy-eth', '    boom;'))
    expect(linesOf(report)).toEqual({ kept: [4], suppressed: [6] })
  })

  test("a rule that is not Assay's, or about something else, has no effect and is not reported", () => {
    const report = scan(
      inFunction(
        '    // slither-disable-next-line naming-convention',
        '    boom;',
        '    // solhint-disable-next-line not-rely-on-time',
        '    boom;',
      ),
    )
    expect(linesOf(report)).toEqual({ kept: [5, 7], suppressed: [] })
    expect(report.diagnostics).toEqual([])
  })

  test.each([
    'slither-disable-next-line',
    'slither-disable-next-line all',
    'slither-disable-start',
    'aderyn-ignore-next-line',
    'aderyn-fp-next-line',
  ])('// %s names no weakness and sets nothing aside', (comment) => {
    expect(linesOf(scan(inFunction(`    // ${comment}`, '    boom;')))).toEqual({ kept: [5], suppressed: [] })
  })

  test.each([
    'solhint-disable-next-line reentrancy',
    'solhint-disable-next-line',
    'solhint-disable reentrancy',
    'solhint-disable',
    'wake-disable-next-line reentrancy',
    'eslint-disable-next-line',
    'solium-disable-next-line security/no-call-value',
  ])('// %s belongs to a linter and sets nothing aside', (comment) => {
    expect(linesOf(scan(inFunction(`    // ${comment}`, '    boom;')))).toEqual({ kept: [5], suppressed: [] })
  })
})
