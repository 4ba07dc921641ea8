import type { Evidence } from '@assay/engine'
import { evidenceLine, provableFindings } from '@assay/engine/results'
import { defineCommand, type Values } from '../command.ts'
import { boundaryOf, sourceOptions } from '../input/read-project.ts'
import { type ExitCode, exit, type Io } from '../io.ts'
import { plural } from '../output/plural.ts'
import { printableName } from '../output/printable.ts'
import { createProgress } from '../output/progress.ts'
import { type Format, render } from '../output/render.ts'
import { tellProject } from '../output/tell-project.ts'
import { installOnFirstUse, installProver } from '../prove/load-prover.ts'
import { type ProvenFinding, writeExploits } from '../prove/write-exploits.ts'
import { isScanned, type ProjectScan } from '../scan/outcome.ts'
import { proveFindings } from '../scan/prove-findings.ts'
import { scanProject } from '../scan/scan-project.ts'
import { toScanRequest } from '../scan/scan-request.ts'

export const proveOptions = {
  install: {
    description: 'Install the compilers and the EVM now (about 120 MB, by npm) instead of on first use.',
  },
  'write-tests': {
    value: 'folder',
    description:
      'Write a Foundry test for every verified exploit to this folder; it imports your source and fails once that is fixed.',
  },
  poc: {
    value: 'folder',
    description:
      'Write every verified exploit as Markdown for an audit report: impact, steps, control run, Foundry test.',
  },
  format: {
    value: 'format',
    choices: ['text', 'json', 'sarif', 'markdown', 'html'],
    default: 'text',
    short: 'f',
    description: 'Output format: the steps of each attack as text, or the full result with its evidence.',
  },
  seconds: {
    value: 'seconds',
    default: '10',
    isNumber: true,
    description: 'CPU time limit per finding.',
  },
  seed: {
    value: 'number',
    default: '1',
    isNumber: true,
    description: 'Seed for block hashes and randao; the same seed gives the same evidence.',
  },
  remappings: {
    value: 'file or prefix=target',
    isRepeatable: true,
    description: 'Import remappings; they override those of the project.',
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
  summary: 'Verify findings by executing attacks in a local EVM.',
  parameters: '[files or folders…]',
  details: [
    'Scans like `assay scan`, then compiles the contracts, deploys them in a local EVM, executes the attack and compares the result with a control run. Nothing leaves your machine.',
    'A finding that is not reproduced is not refuted: it stands as it is. The first use fetches the compilers and the EVM, once (also --install, or in a checkout `npm run setup:prover`); with ASSAY_PROVER_INSTALL=never it does not, and every finding says that it was not attempted.',
    'A verified exploit needs harm: an account gained or lost, and a control run without the flagged lever shows neither. Where the flagged code did what it is flagged for without harm, the finding is `executed`.',
    'Exit code 0: no exploit was verified. 1: at least one was. 2: something could not be read, no finding could be attempted, or the prover is not installed.',
  ],
  options: proveOptions,
  examples: [
    { line: 'assay prove contracts/Vault.sol', does: 'Show which findings have a verified exploit.' },
    { line: 'assay prove contracts --write-tests test', does: 'Also write each exploit as a Foundry test.' },
    { line: 'assay prove contracts --poc audit', does: 'Also write each exploit as a section of an audit report.' },
  ],

  async run({ paths, options, io }) {
    if (options.install) await installProver(io)
    if (options.install && paths.length === 0) return exit.clean
    const isInstalled = await installOnFirstUse(io)
    const progress = createProgress(options.format === 'text', io)
    const asked = request(paths.length > 0 ? paths : ['.'], options)
    const boundary = boundaryOf(asked, io)
    const scanned = await scanProject({ ...asked, boundary }, io)
    tellProject(scanned, io)
    const proven = await proveFindings(
      scanned,
      {
        seconds: Number(options.seconds),
        seed: Number(options.seed),
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
    ...of('not-reproduced').map((each) => printableName(`${headOf(each)}  ${each.evidence.summary}`)),
    ...causes(of('not-attempted')),
    '',
    `${plural(all.length, 'finding')}: ${of('confirmed').length} verified, ${of('executed').length} executed without harm, ${of('not-reproduced').length} not reproduced, ${of('not-attempted').length} not attempted.`,
  ]
  return `${lines.join('\n')}\n`
}

const headOf = ({ path, finding }: Proven): string =>
  [`${path}:${finding.line} `, finding.vulnerabilityId, finding.detector].filter(Boolean).join(' ')

/** One message per cause, and under it the findings that it stopped. */
const causes = (stopped: readonly Proven[]): string[] =>
  [...new Set(stopped.map(({ evidence }) => evidence.summary))].flatMap((cause) => [
    printableName(cause),
    ...stopped.filter(({ evidence }) => evidence.summary === cause).map((each) => `  ${printableName(headOf(each))}`),
  ])

const attackLines = (proven: Proven, test: string | undefined): string[] => {
  const { evidence } = proven
  return [
    `${headOf(proven)}  ${evidence.status === 'confirmed' ? 'VERIFIED EXPLOIT' : 'executed, no harm shown'}`,
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
