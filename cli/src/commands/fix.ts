import { resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { unifiedDiff } from '../fix/unified-diff.ts'
import {
  boundaryOf,
  type ProjectSources,
  readProjectSources,
  type SourceRequest,
  sourceOptions,
  toSourceRequest,
} from '../input/read-project.ts'
import { Complaint, type ExitCode, exit, type Io } from '../io.ts'
import { choosePaint } from '../output/paint.ts'
import { safeText } from '../output/pipeline-safe.ts'
import { plural } from '../output/plural.ts'
import { printable, printableName } from '../output/printable.ts'
import { createProgress } from '../output/progress.ts'
import { tellProject } from '../output/tell-project.ts'
import { writeFile } from '../output/write-file.ts'
import type { Program } from '../scan/programs.ts'
import { wantedFindings } from '../scan/select-findings.ts'

/** Mends what can be mended by rule. */
export const fix = defineCommand({
  name: 'fix',
  summary: 'Fix findings that have a safe automatic fix; shows the diff, and writes it with --write.',
  parameters: '[files or folders…]',
  details: [
    'Pins pragmas, writes visibilities down, replaces deprecated names, checks the result of calls to msg.sender, and updates state before a call where nothing flows from the call into it. With --unsafe also what changes who may do something or what must succeed: msg.sender instead of tx.origin, a misnamed constructor, the result of other calls. A payment to another account is never made mandatory.',
    'Pragmas are pinned to one version for the whole project: --solc, else that of foundry.toml or the Hardhat settings, else 0.8.28 or the newest release that all files and imports admit. Where there is none, no pragma is pinned.',
    'All patches are tried at once and the result is scanned again; a patch is kept when its finding is gone, no other has come and the text still parses. Where the compilers of the prover are installed (assay prove --install) the result is also compiled. Test before you commit.',
    'Exit code 0: nothing to fix, or all of it written. 1: there are patches that were not written. 2: something could not be read or written.',
  ],
  options: {
    write: { description: 'Write the patches into the files.' },
    only: { value: 'detectors', isRepeatable: true, description: 'Fix only findings of these detectors.' },
    skip: { value: 'detectors', isRepeatable: true, description: 'Skip findings of these detectors.' },
    unsafe: { description: 'Also patches that change who may do something, or what must succeed; read them.' },
    solc: {
      value: 'version',
      description: 'The compiler version to pin pragmas to; default: the one of the project.',
    },
    ...sourceOptions,
  },
  examples: [
    { line: 'assay fix', does: 'Show what would be changed.' },
    { line: 'assay fix --write --only floating-pragma --solc 0.8.28', does: 'Pin every pragma to one version.' },
    { line: 'assay fix --unsafe', does: 'A unified diff of everything, to read before `git apply`.' },
  ],

  async run({ paths, options, io }) {
    const paint = choosePaint('auto', io)
    const request = toSourceRequest(paths.length > 0 ? paths : ['.'], options)
    const boundary = boundaryOf(request, io)
    const sources = await readProjectSources({ ...request, boundary }, io)
    const notWritten: string[] = []
    const write = (path: string, text: string) => {
      try {
        writeFile(resolve(io.folder, path), text, boundary, path)
      } catch (error) {
        if (!(error instanceof Complaint)) throw error
        notWritten.push(path)
        io.err.write(`assay: ${safeText(printable(error.message))}\n`)
      }
    }
    tellProject(sources, io)
    const { fixProgram } = await import('../fix/fix-program.ts')
    const { scanFindings } = await import('../fix/scan-findings.ts')
    const { createCompileCheck } = await import('../fix/compile-check.ts')
    const isWanted = await wantedFindings(options.only, options.skip)
    const compilerVersion = await versionFor(sources, request, options.solc, io)
    const compile = await createCompileCheck(io)
    const progress = createProgress(true, io)
    let count = 0
    let untried = 0
    const total = sources.programs.reduce((sum, { reported }) => sum + reported.length, 0)
    let done = 0
    for (const program of sources.programs) {
      progress.show(done, total)
      const fixed = await fixProgram(program, {
        compilerVersion,
        withUnsafe: options.unsafe,
        isWanted,
        scan: (files) => scanFindings(program, files),
        ...(compile ? { compile: (files) => compile(program, files) } : {}),
      })
      done += program.reported.length
      progress.show(done, total)
      count += fixed.applied.length
      untried += fixed.untriedCount
      for (const { path, finding, fix } of fixed.applied)
        io.err.write(
          safeText(
            `assay: ${printableName(path)}:${finding.line}: ${finding.vulnerabilityId ?? finding.detector}: ${fix.title}${fix.safety === 'unsafe' ? ' (unsafe)' : ''}\n`,
          ),
        )
      for (const [path, text] of fixed.texts) {
        if (options.write) write(path, text)
        else io.out.write(colourDiff(unifiedDiff(path, textOf(program, path), text), paint))
      }
    }
    progress.end()
    if (untried > 0) io.err.write(`assay: ${plural(untried, 'patch', 'patches')} not tried; run it again\n`)
    const hint = options.write ? ' written; test before you commit' : '; --write writes them'
    const compiled = compile ? ', compiled' : ', not compiled (assay prove --install fetches compilers)'
    io.err.write(`assay: ${plural(count, 'patch', 'patches')}${count === 0 ? '' : `${compiled}${hint}`}\n`)
    if (sources.unreadable.length + notWritten.length > 0) return exit.failed
    return (count > 0 && !options.write ? exit.findings : exit.clean) as ExitCode
  },
})

const textOf = ({ files }: Program, path: string): string => files.find((file) => file.path === path)?.text ?? ''

/** What all files of the project admit, its tests and scripts included: they are compiled with the others. */
async function versionFor(
  { project, programs }: ProjectSources,
  request: SourceRequest,
  typed: string | undefined,
  io: Io,
): Promise<string | undefined> {
  const { chooseCompilerVersion } = await import('@assay/engine')
  const around = project && (await readProjectSources({ ...request, paths: [project.root], scope: 'project' }, io))
  const texts = [...programs, ...(around?.programs ?? [])].flatMap(({ files }) => files.map(({ text }) => text))
  const wanted = typed ?? project?.compiler
  const version = chooseCompilerVersion(texts, wanted)
  if (version === undefined) {
    const why = wanted === undefined ? 'no version is admitted by all files' : `not all files admit ${wanted}`
    io.err.write(`assay: no pragma is pinned: ${why}\n`)
  }
  return version
}

function colourDiff(diff: string, paint: ReturnType<typeof choosePaint>): string {
  return safeText(
    diff
      .split('\n')
      .map((line) => {
        const shown = printable(line)
        if (/^[+-]{3} /.test(line)) return paint('bold', shown)
        return line.startsWith('+') ? paint('green', shown) : line.startsWith('-') ? paint('red', shown) : shown
      })
      .join('\n'),
  )
}
