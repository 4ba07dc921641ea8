import { toHtml, toMarkdown, toSarif } from '@assay/engine'
import type { ScanOptions } from '../commands/scan.ts'
import type { Io } from '../io.ts'
import { isScanned, type Outcome } from '../scan-outcome.ts'
import { version } from '../version.ts'
import { toJson } from './json.ts'
import { choosePaint } from './paint.ts'
import { printable } from './printable.ts'
import { toText } from './text.ts'

/** The outcome of a scan in the format asked for. */
export function render(outcomes: readonly Outcome[], options: ScanOptions, io: Io, milliseconds: number): string {
  const results = outcomes.filter(isScanned).map(({ result }) => result)
  switch (options.format) {
    case 'json':
      return toJson(outcomes)
    case 'sarif':
      tellMissing(outcomes, io)
      return `${JSON.stringify(toSarif(results, { version }), null, 2)}\n`
    case 'markdown':
      tellMissing(outcomes, io)
      return toMarkdown(results)
    case 'html':
      tellMissing(outcomes, io)
      return toHtml(results)
    default: {
      const paint = choosePaint(options.output === undefined ? options.color : 'never', io)
      return toText(outcomes, { paint, columns: io.out.columns, isQuiet: options.quiet, milliseconds })
    }
  }
}

/** These formats have no place for a file without a result. */
function tellMissing(outcomes: readonly Outcome[], io: Io): void {
  for (const outcome of outcomes) {
    if (!isScanned(outcome)) io.err.write(`assay: ${outcome.path}: ${printable(outcome.error)}\n`)
  }
}
