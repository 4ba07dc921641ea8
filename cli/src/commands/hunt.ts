import { resolve } from 'node:path'
import { evidenceLine } from '@assay/engine/results'
import type { HuntReport, HuntResult } from '@assay/prover'
import { defineCommand } from '../command.ts'
import {
  boundaryOf,
  type ProjectSources,
  readProjectSources,
  sourceOptions,
  toSourceRequest,
} from '../input/read-project.ts'
import { type ExitCode, exit, type Io } from '../io.ts'
import { hunt as texts } from '../messages/commands.ts'
import { plural } from '../output/plural.ts'
import { printableName } from '../output/printable.ts'
import { createProgress } from '../output/progress.ts'
import { reportProject } from '../output/report-project.ts'
import type { Boundary } from '../project/boundary.ts'
import { installOnFirstUse, loadProver, prepareProver } from '../prove/load-prover.ts'
import { readHints } from '../prove/read-hints.ts'
import { runHunt } from '../prove/run-hunt.ts'
import { createWriter, placedIn } from '../prove/write-exploits.ts'
import { closureOf } from '../scan/prove-findings.ts'
import { version } from '../version.ts'

export const huntOptions = {
  seconds: { value: 'seconds', default: '60', isNumber: true, description: texts.cpuTimeOfSearch },
  'write-tests': { value: 'folder', description: texts.writeFoundryTestEvery },
  format: {
    value: 'format',
    choices: ['text', 'json'],
    default: 'text',
    short: 'f',
    description: texts.stepsAsTextOrJson,
  },
  seed: { value: 'number', default: '1', isNumber: true, description: texts.seedBlockHashesRandao },
  remappings: { value: texts.filePrefixTarget, isRepeatable: true, description: texts.importRemappings },
  root: sourceOptions.root,
} as const

/** Changes when a reader of the old shape would no longer understand the new one. */
const resultSchema = 'urn:assay:hunt:1'

/** Searches without a finding, and tells what it executed. */
export const hunt = defineCommand({
  name: 'hunt',
  summary: texts.searchExploitsWithoutFindings,
  parameters: texts.filesFolders,
  details: [texts.deploysEveryContract, texts.whatCountsAsHarm, texts.silenceIsNoProof, texts.exitCodeNothingFound],
  options: huntOptions,
  examples: [
    { line: texts.assayHuntSeconds, does: texts.searchWholeProject },
    { line: texts.assayHuntWriteTests, does: texts.alsoWriteTests },
  ],

  async run({ paths, options, io }) {
    const { remappings, root } = options
    const words = paths.length > 0 ? paths : ['.']
    const request = toSourceRequest(words, { scope: 'product', include: [], exclude: [], remappings, root })
    const boundary = boundaryOf(request, io)
    const read = await readProjectSources({ ...request, boundary }, io)
    reportProject(read, io)
    // Nothing is fetched where there is nothing to search.
    if (read.sources.length === 0) return nothingToSearch(io)
    await installOnFirstUse(io)
    await loadProver(io)
    const progress = createProgress(options.format === 'text', io)
    const task = {
      units: unitsOf(read),
      options: {
        milliseconds: 1000 * Number(options.seconds),
        seed: Number(options.seed),
        hints: await readHints(read.project, boundary),
      },
      packagesFolder: (await prepareProver(io)).findPackages(),
    }
    const result = await runHunt(task, progress.show).finally(progress.end)
    const tests = await writeTests(result, options['write-tests'], boundary, io)
    io.out.write(options.format === 'json' ? toJson(result) : toText(result, tests))
    return read.unreadable.length > 0 ? exit.failed : exitCodeOf(result)
  },
})

function nothingToSearch(io: Io): ExitCode {
  io.err.write(`assay: ${texts.nothingToSearch}\n`)
  return exit.failed
}

const unitsOf = ({ sources, programs }: ProjectSources) =>
  sources.map(({ path, text }) => ({ path, ...closureOf({ path, text }, programs) }))

/** Answers the test that was written for each report. */
async function writeTests(
  { reports }: HuntResult,
  folder: string | undefined,
  boundary: Boundary,
  io: Io,
): Promise<ReadonlyMap<HuntReport, string>> {
  const written = new Map<HuntReport, string>()
  if (folder === undefined) return written
  const write = createWriter('--write-tests', folder, boundary, io)
  for (const report of reports) {
    const test = report.evidence.foundryTest
    if (!test) continue
    const text = await placedIn(resolve(io.folder, folder), resolve(io.folder, report.path), test.text)
    written.set(report, write(test.file, text))
  }
  return written
}

const toJson = ({ reports, searched, notSearched, calls }: HuntResult): string =>
  `${JSON.stringify({ schema: resultSchema, tool: { name: 'Assay', version }, calls, searched, notSearched, reports }, null, 2)}\n`

function toText({ reports, searched, notSearched, calls }: HuntResult, tests: ReadonlyMap<HuntReport, string>): string {
  const lines = [
    ...reports.flatMap((report) => [...reportLines(report, tests.get(report)), '']),
    ...(notSearched.length > 0
      ? [texts.notSearched(plural(notSearched.length, 'contract')), ...causes(notSearched), '']
      : []),
    texts.exploitsInContracts(plural(reports.length, 'exploit'), plural(searched.length, 'contract'), calls),
  ]
  return `${lines.join('\n')}\n`
}

/** One message per cause, and under it what it stopped. */
const causes = (stopped: HuntResult['notSearched']): string[] =>
  [...new Set(stopped.map(({ reason }) => reason))].flatMap((cause) => [
    `  ${printableName(cause)}`,
    ...stopped
      .filter(({ reason }) => reason === cause)
      .map(({ path, contract }) => `    ${printableName([path, contract].filter(Boolean).join(' '))}`),
  ])

const reportLines = ({ path, line, contract, function: fn, oracle, evidence }: HuntReport, test: string | undefined) =>
  [
    `${path}:${line}  ${texts.titles[oracle]}: ${contract}${fn ? `.${fn}()` : ''}`,
    `  ${evidence.summary}`,
    ...evidence.steps.map((step, index) => `  ${index + 1}. ${evidenceLine(step)}`),
    ...(evidence.control ? [`  control: ${evidence.control.change}: ${evidence.control.result}`] : []),
    ...(test ? [`  test: ${test}`] : []),
  ].map(printableName)

function exitCodeOf({ reports, searched }: HuntResult): ExitCode {
  if (reports.length > 0) return exit.findings
  return searched.length > 0 ? exit.clean : exit.failed
}
