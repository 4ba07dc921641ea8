/** What the rows of `bench:prove` come to. */
import type { Evidence } from '@assay/engine'
import type { Row } from './prove-rows.ts'

const strong = ['SWC-105', 'SWC-106', 'SWC-107', 'SWC-112', 'SWC-118']
const middle = ['SWC-101', 'SWC-104', 'SWC-113', 'SWC-115', 'SWC-120', 'SWC-132']

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const percent = (part: number, all: number): string => (all === 0 ? '–' : `${((100 * part) / all).toFixed(1)} %`)

const doesNotCompile = ({ evidence }: Row): boolean => evidence.summary.includes('do not compile')

const isConfirmed = ({ evidence }: Row): boolean => evidence.status === 'confirmed'

export const classHead = [
  'class',
  'findings',
  'compile',
  'pay nothing',
  'verified',
  'executed',
  'not reproduced',
  'not attempted',
  'of all',
  'of those with harm',
  'calls (median)',
  'CPU ms (median)',
]

/** Where nothing can be taken nothing can be shown, unless it was shown all the same. */
const hasHarm = (row: Row): boolean => !row.finding.paysNothing || isConfirmed(row)

const classRow = (name: string, rows: readonly Row[]): string[] => {
  const trueRows = rows.filter(({ finding }) => finding.verdict === 'true')
  const compiling = trueRows.filter((row) => !doesNotCompile(row))
  const of = (status: Evidence['status']) => compiling.filter(({ evidence }) => evidence.status === status)
  const confirmed = of('confirmed')
  const harmful = compiling.filter(hasHarm)
  return [
    name,
    String(trueRows.length),
    String(compiling.length),
    String(compiling.length - harmful.length),
    String(confirmed.length),
    String(of('executed').length),
    String(of('not-reproduced').length),
    String(of('not-attempted').length),
    percent(confirmed.length, compiling.length),
    percent(confirmed.length, harmful.length),
    String(median(confirmed.map(({ evidence }) => evidence.callsTried))),
    median(confirmed.map(({ cpuMs }) => cpuMs)).toFixed(0),
  ]
}

export const classRows = (rows: readonly Row[]): string[][] =>
  [...new Set(rows.map(({ finding }) => finding.swc ?? ''))].sort().map((swc) =>
    classRow(
      swc,
      rows.filter(({ finding }) => finding.swc === swc),
    ),
  )

const countedOf = (rows: readonly Row[], classes: readonly string[]): Row[] =>
  rows.filter(
    (row) => row.finding.verdict === 'true' && classes.includes(row.finding.swc ?? '') && !doesNotCompile(row),
  )

const shareRow = (name: string, counted: readonly Row[], target: number): string[] => {
  const confirmed = counted.filter(isConfirmed).length
  const isMet = counted.length > 0 && confirmed / counted.length >= target / 100
  const confirmedShare = `${confirmed} of ${counted.length}, ${percent(confirmed, counted.length)}`
  return [name, confirmedShare, `${target} %`, isMet ? 'pass' : 'FAIL']
}

/** Both figures of a share: over everything that compiles, and over what can do harm at all. */
const shareRows = (rows: readonly Row[], classes: readonly string[], target: number): string[][] => {
  const counted = countedOf(rows, classes)
  const numbers = classes.map((swc) => swc.slice(4)).join(', ')
  return [
    shareRow(`true findings of ${numbers} confirmed`, counted, target),
    shareRow('  without those whose payment is proven to be nothing', counted.filter(hasHarm), target),
  ]
}

export const targetRows = (rows: readonly Row[]): string[][] => {
  const confirmed = rows.filter(isConfirmed)
  const falsely = confirmed.filter(({ finding }) => finding.verdict === 'false').length
  const tested = confirmed.filter(({ test }) => test !== null)
  const holding = tested.filter(({ test }) => test === 'holds').length
  const cpu = median(confirmed.map(({ cpuMs }) => cpuMs))
  const verdict = (isMet: boolean): string => (isMet ? 'pass' : 'FAIL')
  return [
    ...shareRows(rows, strong, 70),
    ...shareRows(rows, middle, 45),
    [
      'confirmed findings without a label in files labelled fixed or complete',
      String(falsely),
      '0',
      verdict(falsely === 0),
    ],
    [
      'written Foundry tests that compile and hold',
      `${holding} of ${tested.length}`,
      '100 %',
      verdict(holding === tested.length),
    ],
    ['median CPU for one confirmation, compiler warm', `${cpu.toFixed(0)} ms`, '1000 ms', verdict(cpu <= 1000)],
  ]
}

export const describeRow = ({ path, finding, evidence, cpuMs, test }: Row): string =>
  [
    evidence.status.padEnd(14),
    finding.verdict.padEnd(5),
    finding.swc,
    `${path}:${finding.line}`,
    finding.function,
    `${cpuMs.toFixed(0)} ms`,
    ...(finding.paysNothing ? ['pays nothing'] : []),
    evidence.summary,
    test ?? '',
  ].join('  ')
