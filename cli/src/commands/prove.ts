import type { Evidence } from '@assay/engine'
import { evidenceLine, provableFindings } from '@assay/engine/results'
import { defineCommand, type Values } from '../command.ts'
import { boundaryOf, sourceOptions } from '../input/read-project.ts'
import { type ExitCode, exit, type Io } from '../io.ts'
import { prove as texts } from '../messages/commands.ts'
import { plural } from '../output/plural.ts'
import { printableName } from '../output/printable.ts'
import { createProgress } from '../output/progress.ts'
import { type Format, render } from '../output/render.ts'
import { reportProject } from '../output/report-project.ts'
import { installOnFirstUse, installProver } from '../prove/load-prover.ts'
import { type ProvenFinding, writeExploits } from '../prove/write-exploits.ts'
import { isScanned, type ProjectScan } from '../scan/outcome.ts'
import { proveFindings } from '../scan/prove-findings.ts'
import { scanProject } from '../scan/scan-project.ts'
import { toScanRequest } from '../scan/scan-request.ts'

export const proveOptions = {
  install: {
    description: texts.installCompilersEvmNow,
  },
  'write-tests': {
    value: 'folder',
    description: texts.writeFoundryTestEvery,
  },
  poc: {
    value: 'folder',
    description: texts.writeEveryVerifiedExploit,
  },
  format: {
    value: 'format',
    choices: ['text', 'json', 'sarif', 'markdown', 'html'],
    default: 'text',
    short: 'f',
    description: texts.outputFormatStepsEach,
  },
  seconds: {
    value: 'seconds',
    default: '10',
    isNumber: true,
    description: texts.cpuTimeLimitPer,
  },
  seed: {
    value: 'number',
    default: '1',
    isNumber: true,
    description: texts.seedBlockHashesRandao,
  },
  remappings: {
    value: texts.filePrefixTarget,
    isRepeatable: true,
    description: texts.importRemappingsTheyOverride,
  },
  root: sourceOptions.root,
} as const

interface Proven {
  readonly path: string
  readonly finding: ProvenFinding
  readonly evidence: Evidence
}

/** Executes what was found: compiles, deploys, attacks, and tells what happened. */
export const prove = defineCommand({
  name: 'prove',
  summary: texts.verifyFindingsExecutingAttacks,
  parameters: texts.filesFolders,
  details: [
    texts.scansLikeAssayScan,
    texts.findingNotReproducedNot,
    texts.verifiedExploitNeedsHarm,
    texts.exitCodeNoExploit,
  ],
  options: proveOptions,
  examples: [
    { line: texts.assayProveContractsVault, does: texts.showWhichFindingsHave },
    { line: texts.assayProveContractsWrite, does: texts.alsoWriteEachExploit },
    { line: texts.assayProveContractsPoc, does: texts.alsoWriteEachExploitAs },
  ],

  async run({ paths, options, io }) {
    if (options.install) await installProver(io)
    if (options.install && paths.length === 0) return exit.clean
    const progress = createProgress(options.format === 'text', io)
    const requested = request(paths.length > 0 ? paths : ['.'], options)
    const boundary = boundaryOf(requested, io)
    const scanned = await scanProject({ ...requested, boundary }, io)
    // Nothing is fetched where there is nothing to verify.
    const hasFindings = scanned.outcomes.some((each) => isScanned(each) && provableFindings(each.result).length > 0)
    const isInstalled = hasFindings ? await installOnFirstUse(io) : true
    reportProject(scanned, io)
    const proven = await proveFindings(
      scanned,
      {
        seconds: Number(options.seconds),
        seed: Number(options.seed),
        boundary,
        onEvidence: progress.show,
      },
      io,
    ).finally(progress.end)
    const folders = { tests: options['write-tests'], poc: options.poc }
    const tests = await writeExploits(proven, folders, boundary, io)
    io.out.write(options.format === 'text' ? story(proven, tests) : await rendered(proven, options, io))
    return isInstalled ? exitCodeOf(proven) : exit.failed
  },
})

const request = (paths: readonly string[], { remappings, root }: Values<typeof proveOptions>) => ({
  ...toScanRequest(paths, { scope: 'product', include: [], exclude: [], remappings, root }),
})

const rendered = (scan: ProjectScan, options: Values<typeof proveOptions>, io: Io): Promise<string> =>
  render(
    scan,
    options.format as Format,
    { color: 'never', quiet: false, details: true, groupBy: 'kind', limit: 10, isFile: true },
    io,
  )

const provenOf = ({ outcomes }: ProjectScan): Proven[] =>
  outcomes
    .filter(isScanned)
    .flatMap(({ path, result }) =>
      provableFindings(result).flatMap((finding) =>
        finding.evidence ? [{ path, finding, evidence: finding.evidence }] : [],
      ),
    )

function story(scan: ProjectScan, tests: ReadonlyMap<ProvenFinding, string>): string {
  const all = provenOf(scan)
  const of = (status: Evidence['status']) => all.filter(({ evidence }) => evidence.status === status)
  const lines = [
    ...[...of('confirmed'), ...of('executed')].flatMap((each) => [...attackLines(each, tests.get(each.finding)), '']),
    ...section(
      texts.notReproduced,
      of('not-reproduced').map((each) => [headOf(each), tried(each.evidence)].join('  ')),
    ),
    ...section(texts.notAttempted, causes(of('not-attempted'))),
    texts.verifiedExecutedWithoutHarm(
      plural(all.length, 'finding'),
      of('confirmed').length,
      of('executed').length,
      of('not-reproduced').length,
      of('not-attempted').length,
    ),
  ]
  return `${lines.join('\n')}\n`
}

const headOf = ({ path, finding }: Proven): string =>
  [`${path}:${finding.line} `, finding.vulnerabilityId, finding.detector].filter(Boolean).join(' ')

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length > 0 ? [title, ...lines.map((line) => `  ${printableName(line)}`), ''] : []

/** What stands in the title is not said again. */
const tried = ({ summary }: Evidence): string => summary.replace(/^not reproduced in /, '')

/** One message per cause, and under it the findings that it stopped. */
const causes = (stopped: readonly Proven[]): string[] =>
  [...new Set(stopped.map(({ evidence }) => evidence.summary))].flatMap((cause) => [
    cause.replace(/^not attempted: /, ''),
    ...stopped.filter(({ evidence }) => evidence.summary === cause).map((each) => `  ${headOf(each)}`),
  ])

const attackLines = (proven: Proven, test: string | undefined): string[] => {
  const { evidence } = proven
  return [
    `${headOf(proven)}  ${evidence.status === 'confirmed' ? 'VERIFIED EXPLOIT' : texts.executedNoHarmShown}`,
    `  ${evidence.summary}`,
    ...evidence.steps.map((step, index) => `  ${index + 1}. ${evidenceLine(step)}`),
    ...(evidence.control ? [`  control: ${evidence.control.change}: ${evidence.control.result}`] : []),
    ...(test ? [`  test: ${test}`] : []),
  ].map(printableName)
}

function exitCodeOf(scan: ProjectScan): ExitCode {
  if (!scan.outcomes.every(isScanned)) return exit.failed
  const statuses = provenOf(scan).map(({ evidence }) => evidence.status)
  if (statuses.length > 0 && statuses.every((status) => status === 'not-attempted')) return exit.failed
  return statuses.includes('confirmed') ? exit.findings : exit.clean
}
