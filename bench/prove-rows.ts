/** What the prover made of the findings of one labelled file. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Evidence, type Finding, type InputFile, scan } from '@assay/engine'
import { provableClasses, prove, selfContainedTest } from '@assay/prover'
import { loadPackages } from '../prover/src/packages.ts'
import { runFoundryTest, runTestsBeside } from '../prover/src/testing/run-foundry-test.ts'
import { hashFiles, listSources } from '../tools/content-hash.mjs'
import { type CorpusFile, readCorpusText } from './corpus.ts'
import { keep } from './kept-results.ts'
import { paysNothingId, paysNothingRule } from './pays-nothing.ts'
import { touches } from './reliability.ts'

/** What the labels say about a finding: true, neutral, or, in a file labelled completely, false. */
export type Verdict = 'true' | 'false' | 'neutral'

export type BenchFinding = Pick<
  Finding,
  'swc' | 'detector' | 'contract' | 'function' | 'line' | 'endLine' | 'trace'
> & {
  readonly verdict: Verdict
  /** The payment that it is about is nothing in every execution. */
  readonly paysNothing: boolean
}

export interface Task {
  readonly source: string
  readonly path: string
  readonly findings: readonly BenchFinding[]
  readonly withTests: boolean
  readonly calls: number | null
}

export interface Row {
  readonly source: string
  readonly path: string
  readonly finding: Pick<BenchFinding, 'swc' | 'function' | 'line' | 'verdict' | 'paysNothing'>
  readonly evidence: Pick<Evidence, 'status' | 'summary' | 'callsTried'>
  readonly cpuMs: number
  /** What became of the written test; null where there is none. */
  readonly test: string | null
}

const judge = (file: CorpusFile, finding: Finding): Verdict => {
  const swc = finding.swc ?? ''
  const hits = (file.labels ?? []).filter(
    (label) => (label.swc === swc || label.altSwc?.includes(swc)) && touches(finding, label),
  )
  if (hits.some(({ quality }) => quality !== 'disputed')) return 'true'
  return hits.length === 0 && file.complete?.includes(swc) ? 'false' : 'neutral'
}

/** Classes whose harm is that a payment is made, or is not made. */
const aboutPayments = ['SWC-104', 'SWC-105', 'SWC-107', 'SWC-113']

/** Findings that are counted: those of a label, and those that must not be confirmed. */
export const countedFindings = (file: CorpusFile, classes: readonly string[] | null): BenchFinding[] => {
  const { findings, advisories } = scan(readCorpusText(file), { path: file.path, rules: [paysNothingRule] })
  const idle = advisories.filter(({ detector }) => detector === paysNothingId)
  const paysNothing = ({ swc, line, endLine }: Finding): boolean =>
    aboutPayments.includes(swc ?? '') && idle.some((call) => call.line <= endLine && line <= call.endLine)
  return findings
    .filter(({ swc }) => swc !== null && provableClasses.includes(swc) && (classes?.includes(swc) ?? true))
    .map((finding) => ({ finding, verdict: judge(file, finding) }))
    .filter(({ verdict }) => verdict !== 'neutral')
    .map(({ finding, verdict }) => {
      const { swc, detector, contract, function: fn, line, endLine, trace } = finding
      return { swc, detector, contract, function: fn, line, endLine, trace, verdict, paysNothing: paysNothing(finding) }
    })
}

const cacheFolder = fileURLToPath(new URL('../.cache/prover/', import.meta.url))
const limits = { millisecondsPerScan: 600_000, millisecondsPerFinding: 60_000 }

/** Runs one file, or tells what an earlier run of the same code on the same file came to. */
export const runTask = async (task: Task, codeHash: string): Promise<{ rows: Row[]; isKnown: boolean }> => {
  const file = { path: task.path, text: readCorpusText(task as unknown as CorpusFile) }
  const { result, isKnown } = await keep(join(cacheFolder, 'rows'), [codeHash, file.text, task], () =>
    proveTask(task, file),
  )
  return { rows: result, isKnown }
}

const proveTask = async ({ source, findings, withTests, calls }: Task, file: InputFile): Promise<Row[]> => {
  const times: number[] = []
  let last = process.cpuUsage()
  const evidence = await prove(
    [file],
    findings.map((finding) => ({ path: file.path, finding })),
    {
      cacheFolder,
      limits: { ...limits, ...(calls === null ? {} : { callsPerFinding: calls }) },
      onEvidence: () => {
        const { user, system } = process.cpuUsage(last)
        times.push((user + system) / 1000)
        last = process.cpuUsage()
      },
    },
  )
  const tests = withTests ? await checkTests(evidence, file) : []
  return findings.map(({ swc, function: fn, line, verdict, paysNothing }, index) => {
    const { status, summary, callsTried } = evidence[index] as Evidence
    return {
      source,
      path: file.path,
      finding: { swc, function: fn, line, verdict, paysNothing },
      evidence: { status, summary, callsTried },
      cpuMs: times[index] ?? 0,
      test: tests[index] ?? null,
    }
  })
}

const testsAtOnce = 8

/** Every written test is compiled and executed beside its target; the first of a file also with the target in it. */
const checkTests = async (evidence: readonly Evidence[], file: InputFile): Promise<(string | null)[]> => {
  const packages = await loadPackages()
  const results: (string | null)[] = evidence.map(() => null)
  const written = evidence.flatMap(({ foundryTest }, index) => (foundryTest ? [{ index, text: foundryTest.text }] : []))
  for (let at = 0; at < written.length; at += testsAtOnce) {
    const some = written.slice(at, at + testsAtOnce)
    const runs = await runTestsBeside(
      file,
      some.map(({ text }) => text),
      packages,
    )
    for (const [place, { index }] of some.entries()) {
      const run = runs[place]
      results[index] = run?.holds ? 'holds' : (run?.reason ?? 'was not run')
    }
  }
  const first = written[0]
  if (!first || results[first.index] !== 'holds') return results
  const text = (await selfContainedTest(evidence[first.index] as Evidence, [file])) ?? ''
  const alone = await runFoundryTest(text, packages)
  if (!alone.holds) results[first.index] = `with its target in it: ${alone.reason}`
  return results
}

/** Of all code that decides about a row; what the engine found is part of the task, and the prover uses nothing else of it. */
export const hashOfCode = (): string =>
  hashFiles(listSources(['prover/src', 'prover/packages/package-lock.json', 'bench/prove-rows.ts']).files)
