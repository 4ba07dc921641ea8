import { resolve } from 'node:path'
import type { Compilation } from '@assay/engine'
import { unifiedDiff } from '@assay/engine/results'
import { defineCommand } from '../command.ts'
import { boundaryOf, readProjectSources, sourceOptions, toSourceRequest } from '../input/read-project.ts'
import { Complaint, type ExitCode, exit } from '../io.ts'
import { fix as messages } from '../messages/commands.ts'
import { choosePaint } from '../output/paint.ts'
import { safeText } from '../output/pipeline-safe.ts'
import { plural } from '../output/plural.ts'
import { printable, printableName } from '../output/printable.ts'
import { createProgress } from '../output/progress.ts'
import { reportProject } from '../output/report-project.ts'
import { writeFile } from '../output/write-file.ts'
import { textOf } from '../scan/programs.ts'

/** Fixes what can be fixed by rule. */
export const fix = defineCommand({
  name: 'fix',
  summary: messages.fixFindingsHaveSafe,
  parameters: messages.filesFolders,
  details: [
    messages.pinsPragmasWritesVisibilities,
    messages.pragmasPinnedOneVersion,
    messages.allPatchesTriedOnce,
    messages.exitCodeNothingFix,
  ],
  options: {
    write: { description: messages.writePatchesIntoFiles },
    only: { value: 'detectors', isRepeatable: true, description: messages.fixOnlyFindingsThese },
    skip: { value: 'detectors', isRepeatable: true, description: messages.skipFindingsTheseDetectors },
    unsafe: { description: messages.alsoPatchesChangeWho },
    solc: {
      value: 'version',
      description: messages.compilerVersionPinPragmas,
    },
    ...sourceOptions,
  },
  examples: [
    { line: 'assay fix', does: messages.showWhatWouldChanged },
    { line: messages.assayFixWriteOnly, does: messages.pinEveryPragmaOne },
    { line: 'assay fix --unsafe', does: messages.unifiedDiffEverythingRead },
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
    reportProject(sources, io)
    const { fixProject } = await import('../fix/fix-project.ts')
    const progress = createProgress(true, io)
    const compilations = new Set<Compilation>()
    let count = 0
    let untried = 0
    for await (const { program, fixed, done, total } of await fixProject(sources, request, options, io)) {
      compilations.add(fixed.compilation)
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
    if (untried > 0) io.err.write(messages.assayNotTriedRun(plural(untried, 'patch', 'patches')))
    const hint = options.write ? messages.writtenTestBeforeYou : '; --write writes them'
    const compiled = count === 0 ? '' : `${sayCompiled(compilations)}${hint}`
    io.err.write(`assay: ${plural(count, 'patch', 'patches')}${compiled}\n`)
    if (sources.unreadable.length + notWritten.length > 0) return exit.failed
    return (count > 0 && !options.write ? exit.findings : exit.clean) as ExitCode
  },
})

function sayCompiled(compilations: ReadonlySet<Compilation>): string {
  if (compilations.has('no-compiler')) return messages.notCompiledAssayProve
  if (compilations.has('failed-before')) return messages.notCompiledBefore
  return compilations.has('compiled') ? ', compiled' : ''
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
