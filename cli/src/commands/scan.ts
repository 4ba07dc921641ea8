import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Report, type Severity, scanFiles, toScanResult } from '@assay/engine'
import { compareWith, readBaseline } from '../baseline.ts'
import { defineCommand, type Values } from '../command.ts'
import { contentId } from '../content-id.ts'
import { collectFiles, reasonOf } from '../input/collect-files.ts'
import { followImports } from '../input/follow-imports.ts'
import { isReadable, readSources, type Source } from '../input/read-source.ts'
import { findRemappings } from '../input/remappings.ts'
import { Complaint, type ExitCode, exit, type Io } from '../io.ts'
import { printable } from '../output/printable.ts'
import { render } from '../output/render.ts'
import { isNew, isScanned, type Outcome } from '../scan-outcome.ts'
import { selectFindings } from '../select-findings.ts'

const options = {
  format: {
    value: 'format',
    choices: ['text', 'json', 'sarif', 'markdown', 'html'],
    default: 'text',
    short: 'f',
    description: 'What to write: text for people, json and sarif for machines, markdown and html for reports.',
  },
  output: { value: 'file', short: 'o', description: 'Write the result to this file instead of standard output.' },
  'fail-on': {
    value: 'severity',
    choices: ['critical', 'high', 'medium', 'low', 'info', 'never'],
    default: 'low',
    description: 'Exit with 1 when a finding is at least this severe.',
  },
  'fail-on-advisories': { description: 'Let advisories count for --fail-on too; otherwise they never fail a run.' },
  baseline: {
    value: 'file',
    description:
      'An earlier JSON result: only findings that are not in it can fail the run, and each is marked new or unchanged.',
  },
  only: {
    value: 'list',
    isRepeatable: true,
    description: 'Report these detectors alone (ids or SWC numbers, separated by commas).',
  },
  exclude: { value: 'list', isRepeatable: true, description: 'Leave these detectors out.' },
  'no-advisories': { description: 'Leave out what has no SWC number.' },
  'no-suppressions': { description: 'Report also what comments in the source set aside.' },
  remappings: {
    value: 'file or prefix=target',
    isRepeatable: true,
    description:
      'How imports map to files. Default: remappings.txt and foundry.toml of this folder or the nearest one above.',
  },
  'no-imports': {
    description: 'Do not read imported files that were not given; by default they are read, but not reported.',
  },
  'with-dependencies': {
    description:
      'When walking a folder, go also into node_modules and, beside a project file, into lib, out, artifacts, cache and dist.',
  },
  quiet: { short: 'q', description: 'One line per finding, nothing else; nothing at all when clean.' },
  color: {
    value: 'when',
    choices: ['auto', 'always', 'never'],
    default: 'auto',
    description: 'Colours in text output.',
  },
} as const

/** Scans files and folders and reports what was found. */
export const scan = defineCommand({
  name: 'scan',
  summary: 'Scan Solidity files and folders for weaknesses.',
  parameters: '<files or folders…>',
  details: [
    'Folders are walked for *.sol files. Hidden folders are left out, and node_modules; beside a project file (foundry.toml, hardhat.config.js, package.json …) also lib, out, artifacts, cache and dist. `-` reads standard input.',
    'Imports resolve among the given files and to files on disk, by relative path or remapping; one that does not resolve never stops a scan.',
    'Exit code 0: nothing at or above --fail-on. 1: something was. 2: the scan, or a part of it, could not be done.',
  ],
  options,
  examples: [
    { line: 'assay scan contracts', does: 'Scan a folder.' },
    { line: 'assay scan Vault.sol --format json', does: 'The result of the service, for machines.' },
    { line: 'assay scan contracts --format sarif --output assay.sarif', does: 'For code scanning in a forge.' },
    { line: 'assay scan contracts --baseline baseline.json', does: 'Fail only on what is new.' },
    { line: 'cat Vault.sol | assay scan -', does: 'Scan standard input.' },
  ],

  async run({ paths, options, io }) {
    if (paths.length === 0) throw new Complaint('Name at least one file or folder: assay scan <files or folders…>.')
    const started = performance.now()
    const collecting = { folder: io.folder, withDependencies: options['with-dependencies'] }
    const { files, leftOut } = await collectFiles(paths, collecting)
    if (leftOut.length > 0 && options.format === 'text' && !options.quiet) tellLeftOut(leftOut, io)
    const sources = await readSources(files, io)
    const outcomes = await scanSources(sources, options, io)
    await write(render(outcomes, options, io, performance.now() - started), options.output, io)
    return exitCodeOf(outcomes, options)
  },
})

export type ScanOptions = Values<typeof options>

async function scanSources(sources: readonly Source[], options: ScanOptions, io: Io): Promise<Outcome[]> {
  const { only, exclude } = options
  const select = selectFindings({ only, exclude, withAdvisories: !options['no-advisories'] })
  const baseline = options.baseline === undefined ? undefined : readBaseline(options.baseline, io.folder)
  const remappings = findRemappings(options.remappings, io.folder)
  const given = sources.filter(isReadable)
  const imported = options['no-imports'] ? [] : await followImports(given, { folder: io.folder, remappings }, io)
  const reports = scanFiles([...given, ...imported], {
    remappings,
    suppressions: options['no-suppressions'] ? 'ignore' : 'honour',
  })
  const byPath = new Map(reports.map((report) => [report.path, report]))
  return sources.map((source): Outcome => {
    if (!isReadable(source)) return source
    const { path, text } = source
    const report = byPath.get(path)
    if (!report) throw new Error(`${path} went into the scan and did not come out`)
    if (report.unreadable) return { path, error: notSolidity(report.unreadable) }
    const result = toScanResult(select(report), { scanId: contentId(path, text), file: path })
    return { path, text, result: baseline ? compareWith(baseline, path, result) : result }
  })
}

const tellLeftOut = (folders: readonly string[], io: Io): void =>
  io.err.write(`assay: left out ${folders.map(printable).join(', ')}; --with-dependencies scans them too\n`)

const notSolidity = ({ line, reason }: NonNullable<Report['unreadable']>): string =>
  `The file is not valid Solidity: line ${line}: ${reason}`

async function write(text: string, output: string | undefined, io: Io): Promise<void> {
  if (output === undefined) return io.out.write(text)
  try {
    await writeFile(resolve(io.folder, output), text)
  } catch (error) {
    throw new Complaint(`--output ${output}: ${reasonOf(error as NodeJS.ErrnoException)}.`)
  }
}

const ranks: Record<Severity | 'never', number> = { info: 0, low: 1, medium: 2, high: 3, critical: 4, never: 5 }

/** An incomplete answer (2) weighs more than a bad one (1). */
function exitCodeOf(outcomes: readonly Outcome[], options: ScanOptions): ExitCode {
  if (!outcomes.every(isScanned)) return exit.failed
  const floor = ranks[options['fail-on'] as Severity | 'never']
  const counted = outcomes.flatMap(({ result: { dataVulnerabilities, advisories } }) => [
    ...dataVulnerabilities,
    ...(options['fail-on-advisories'] ? advisories : []),
  ])
  return counted.some((finding) => ranks[finding.severity] >= floor && isNew(finding)) ? exit.findings : exit.clean
}
