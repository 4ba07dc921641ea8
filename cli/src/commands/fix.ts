import { resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { unifiedDiff } from '../fix/unified-diff.ts'
import { boundaryOf, readProjectSources, sourceOptions, toSourceRequest } from '../input/read-project.ts'
import { Complaint, type ExitCode, exit } from '../io.ts'
import { choosePaint } from '../output/paint.ts'
import { safeText } from '../output/pipeline-safe.ts'
import { plural } from '../output/plural.ts'
import { printable, printableName } from '../output/printable.ts'
import { writeFile } from '../output/write-file.ts'
import { wantedFindings } from '../scan/select-findings.ts'
import { tellUnreadable } from './show.ts'

/** Mends what can be mended by rule. */
export const fix = defineCommand({
  name: 'fix',
  summary: 'Fix findings that have a safe automatic fix; shows the diff, and writes it with --write.',
  parameters: '[files or folders…]',
  details: [
    'Pins pragmas, checks results of low-level calls and sends, replaces tx.origin by msg.sender, fixes misnamed constructors, adds visibility specifiers, replaces deprecated names, and moves state updates before external calls.',
    'Every patch is scanned again and kept only if its finding is gone, no new finding appears and the file still parses. Compile and test before you commit.',
    'Exit code 0: nothing to fix, or all patches written. 1: patches not written. 2: a file could not be read.',
  ],
  options: {
    write: { description: 'Write the patches into the files.' },
    only: { value: 'detectors', isRepeatable: true, description: 'Fix only findings of these detectors.' },
    skip: { value: 'detectors', isRepeatable: true, description: 'Skip findings of these detectors.' },
    solc: {
      value: 'version',
      isRepeatable: true,
      description: 'Compiler version to pin pragmas to; default: the lowest that a pragma allows.',
    },
    ...sourceOptions,
  },
  examples: [
    { line: 'assay fix', does: 'Show what would be changed.' },
    { line: 'assay fix --write --only floating-pragma --solc 0.8.28', does: 'Pin every pragma that allows it.' },
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
    tellUnreadable(sources, io)
    const { fixFile, textOf } = await import('../fix/fix-file.ts')
    const isWanted = await wantedFindings(options.only, options.skip)
    let count = 0
    for (const program of sources.programs) {
      for (const path of program.reported) {
        const fixed = fixFile(path, program, isWanted, options.solc)
        if (!fixed || fixed.applied.length === 0) continue
        count += fixed.applied.length
        for (const { title, finding } of fixed.applied)
          io.err.write(
            safeText(
              `assay: ${printableName(path)}:${finding.line}: ${finding.vulnerabilityId ?? finding.detector}: ${title}\n`,
            ),
          )
        if (options.write) write(path, fixed.text)
        else io.out.write(colourDiff(unifiedDiff(path, textOf(program, path), fixed.text), paint))
      }
    }
    io.err.write(
      `assay: ${plural(count, 'patch', 'patches')}${count === 0 ? '' : options.write ? ' written; compile and test before you commit' : '; --write writes them'}\n`,
    )
    if (sources.unreadable.length + notWritten.length > 0) return exit.failed
    return (count > 0 && !options.write ? exit.findings : exit.clean) as ExitCode
  },
})

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
