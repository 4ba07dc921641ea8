import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { boundaryOf, sourceOptions } from '../input/read-project.ts'
import { reasonOf } from '../input/reason-of.ts'
import { Complaint, type ExitCode, exit, type Io } from '../io.ts'
import { triage as texts } from '../messages/commands.ts'
import { codeFrame } from '../output/code-frame.ts'
import { choosePaint } from '../output/paint.ts'
import { printable, printableName } from '../output/printable.ts'
import { reportProject } from '../output/report-project.ts'
import { severityStyles } from '../output/severity-styles.ts'
import { writeFile } from '../output/write-file.ts'
import type { Boundary } from '../project/boundary.ts'
import { byGravity, type Located, locate } from '../scan/causes.ts'
import { isScanned } from '../scan/outcome.ts'
import { scanProject } from '../scan/scan-project.ts'
import { toScanRequest } from '../scan/scan-request.ts'
import {
  isDay,
  isTriageFile,
  type TriageEntry,
  type TriageState,
  triageName,
  writeTriage,
} from '../triage/triage-file.ts'

/** Goes through findings and writes down what was decided about each. */
export const triage = defineCommand({
  name: 'triage',
  summary: texts.reviewFindingsOneOne,
  parameters: texts.filesFolders,
  details: [texts.savesFingerprintStatusFalse(triageName), texts.allEveryFindingWithout],
  options: {
    file: { value: 'file', default: triageName, description: 'Triage file.' },
    all: {
      value: 'state',
      choices: ['false-positive', 'accepted', 'open'],
      description: texts.setStatusAllFindings,
    },
    reason: { value: 'text', description: texts.reasonAll },
    until: { value: 'day', description: texts.expiryDateStatusExample },
    ...sourceOptions,
  },
  examples: [
    { line: 'assay triage', does: texts.reviewFindingsWithoutStatus },
    {
      line: texts.assayTriageAllOpen,
      does: texts.startExistingCodeBase,
    },
  ],

  async run({ paths, options, io }) {
    if (options.all !== undefined && !options.reason) throw new Complaint('--all needs a --reason.')
    if (options.until !== undefined && !isDay(options.until))
      throw new Complaint(texts.untilMustDateExample(options.until))
    const file = resolve(io.folder, options.file)
    const request = toScanRequest(paths.length > 0 ? paths : ['.'], options)
    const boundary = boundaryOf(request, io)
    const decided = readDecisions(file, options.file, boundary)
    const scan = await scanProject({ ...request, boundary }, io)
    reportProject(scan, io)
    const known = new Set(decided.map(({ fingerprint }) => fingerprint))
    const undecided = locate(scan.outcomes)
      .sort(byGravity)
      .filter(({ finding }) => !known.has(finding.fingerprint))
    const added =
      options.all === undefined
        ? await confirmAll(undecided, options.until, io)
        : undecided.map((located) => toEntry(located, options.all as TriageState, options.reason ?? '', options.until))
    if (added.length > 0) writeFile(file, writeTriage([...decided, ...added]), boundary, options.file)
    io.err.write(
      `assay: ${added.length} decided, ${undecided.length - added.length} left, ${decided.length + added.length} in ${options.file}\n`,
    )
    return (scan.outcomes.every(isScanned) ? exit.clean : exit.failed) as ExitCode
  },
})

function readDecisions(file: string, shown: string, boundary: Boundary): readonly TriageEntry[] {
  if (!existsSync(file)) return []
  if (boundary.names(file) && !boundary.holds(file)) throw new Complaint(texts.leadsOutsideProject(shown))
  let content: unknown
  try {
    content = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new Complaint(
      `${shown}: ${error instanceof SyntaxError ? texts.notJson : reasonOf(error as NodeJS.ErrnoException)}.`,
    )
  }
  if (!isTriageFile(content)) throw new Complaint(texts.notTriageFileNothing(shown))
  return content.findings
}

const toEntry = (
  { path, finding }: Located,
  state: TriageState,
  reason: string,
  until: string | undefined,
): TriageEntry => ({
  fingerprint: finding.fingerprint,
  detector: finding.detector,
  path,
  state,
  reason,
  ...(until ? { until } : {}),
})

const answers: Readonly<Record<string, TriageState>> = { f: 'false-positive', a: 'accepted', o: 'open' }

async function confirmAll(undecided: readonly Located[], until: string | undefined, io: Io): Promise<TriageEntry[]> {
  const paint = choosePaint('auto', io)
  const entries: TriageEntry[] = []
  for (const [index, located] of undecided.entries()) {
    const { path, text, finding } = located
    io.out.write(
      [
        `${paint('dim', `${index + 1}/${undecided.length}`)}  ${paint(severityStyles[finding.severity], finding.severity)}  ${paint('bold', finding.title)}  ${paint('dim', `${printableName(path)}:${finding.line}`)}`,
        printable(finding.message),
        ...codeFrame(text.split(/\r\n|[\n\r]/), finding, paint),
        '',
      ].join('\n'),
    )
    const answer = await io.prompt(texts.fAlsePositiveCcepted)
    if (answer === undefined || answer === 'q') break
    const state = answers[answer]
    if (!state) continue
    const reason = (await io.prompt('Why? ')) ?? ''
    if (reason === '') {
      io.out.write(texts.reasonRequired)
      continue
    }
    entries.push(toEntry(located, state, reason, until))
  }
  return entries
}
