import { describe, expect, test } from 'vitest'
import { type Detector, defineDetector, excuse, type Hit } from '../detectors/define-detector.ts'
import { Behaviour } from '../ir/index.ts'
import { buildModel } from '../model/index.ts'
import { buildReports } from './build-reports.ts'
import { explainLine } from './explain-line.ts'
import type { Observer } from './raw-finding.ts'
import type { RunOptions } from './run-detectors.ts'

const text = 'contract A {\n  uint even2;\n  uint odd3;\n  uint odd5;\n}\n'

const about = {
  swc: null,
  title: 'Probe',
  severity: 'low',
  confidence: 'high',
  description: '',
  recommendation: '',
  references: [],
  cwe: [],
} as const

interface Candidate {
  readonly name: string
  readonly at: Hit['at']
}

const probe: Detector = defineDetector<Candidate>({
  ...about,
  id: 'probe',
  *candidatesInModel({ contracts }) {
    for (const contract of contracts)
      for (const variable of contract.stateVariables) yield { name: variable.name, at: variable.node }
  },
  excuses: [
    excuse('even', 'the number is even', ({ name }) => name.startsWith('even')),
    excuse('small', 'the number is below four', ({ name }) => Number(name.at(-1)) < 4),
  ],
  finding: ({ name, at }) => ({ at, message: `${name} is here.` }),
})

const reportsOf = (detectors: readonly Detector[], options: RunOptions = {}) => {
  const model = buildModel([{ path: 'a.sol', text }])
  return buildReports({ files: model.files, behaviour: new Behaviour(model), detectors, ...options })
}

const linesOf = (options: RunOptions = {}): number[] =>
  reportsOf([probe], options).flatMap(({ advisories }) => advisories.map(({ line }) => line))

describe('excuses', () => {
  test('a candidate is reported unless an excuse holds', () => {
    expect(linesOf()).toEqual([4])
  })

  test('a claim learns whether its candidate was reported', () => {
    const answers: boolean[] = []
    const listening = defineDetector<Candidate>({
      ...about,
      id: 'probe',
      *candidatesInModel({ contracts }): Generator<Candidate, void, boolean> {
        for (const contract of contracts)
          for (const variable of contract.stateVariables) answers.push(yield { name: variable.name, at: variable.node })
      },
      excuses: probe.excuses!,
      finding: probe.finding,
    })
    reportsOf([listening])
    expect(answers).toEqual([false, false, true])
  })

  test('one that is switched off brings back what it alone has silenced', () => {
    expect(linesOf({ withoutExcuses: new Set(['probe/small']) })).toEqual([3, 4])
    expect(linesOf({ withoutExcuses: new Set(['probe/even']) })).toEqual([4])
    expect(linesOf({ withoutExcuses: new Set(['probe/even', 'probe/small']) })).toEqual([2, 3, 4])
    expect(linesOf({ withoutExcuses: new Set(['other/small']) })).toEqual([4])
  })

  test('an observer hears which one held first', () => {
    const heard: string[] = []
    const observer: Observer = { excused: ({ hit }, { name }) => heard.push(`${hit.message} ${name}`) }
    reportsOf([probe], { observer })
    expect(heard).toEqual(['even2 is here. even', 'odd3 is here. small'])
  })
})

describe('a detector that fails half-way', () => {
  const broken: Detector = defineDetector<Candidate>({
    ...about,
    id: 'broken',
    *candidatesInModel(model) {
      yield* probe.candidatesInModel!(model) as Iterable<Candidate>
      throw new Error('half-way')
    },
    finding: ({ at }) => ({ at, message: 'found before' }),
  })

  test('keeps what it found before, and tells the observer the cause', () => {
    const causes: unknown[] = []
    const [report] = reportsOf([broken], { observer: { failed: (_, cause) => causes.push(cause) } })
    expect(report?.advisories).toHaveLength(3)
    expect(report?.diagnostics).toEqual([expect.objectContaining({ code: 'detector-failed' })])
    expect(causes).toEqual([expect.objectContaining({ message: 'half-way', stack: expect.any(String) })])
  })
})

describe('why a line', () => {
  const explain = (line: number, detectors: readonly Detector[] = [probe]) => {
    const model = buildModel([{ path: 'a.sol', text }])
    return explainLine(model.files, 'a.sol', line, (observer) =>
      buildReports({ files: model.files, behaviour: new Behaviour(model), detectors, observer }),
    )
  }

  test('is silent: the excuse that held', () => {
    expect(explain(3)).toEqual({
      reported: [],
      suppressed: [],
      silenced: [
        {
          detector: 'probe',
          line: 3,
          message: 'odd3 is here.',
          excuse: 'small',
          because: 'the number is below four',
        },
      ],
    })
  })

  test('is reported', () => {
    expect(explain(4)).toMatchObject({ reported: [{ detector: 'probe', line: 4 }], silenced: [] })
  })

  test('gives way to another detector', () => {
    const other = defineDetector({ ...probe, id: 'other', yieldsTo: ['probe'] })
    expect(explain(4, [probe, other])).toMatchObject({
      reported: [{ detector: 'probe' }],
      silenced: [{ detector: 'other', excuse: null, because: 'probe reports this place' }],
    })
  })

  test('a file that is not there is a mistake', () => {
    const model = buildModel([{ path: 'a.sol', text }])
    expect(() => explainLine(model.files, 'b.sol', 1, () => [])).toThrow('b.sol is not among the files')
  })
})
