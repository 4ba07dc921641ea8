import type { ScanOptions } from '../commands/scan.ts'
import type { Io } from '../io.ts'
import type { Outcome } from '../scan-outcome.ts'
import { toJson } from './json.ts'
import { choosePaint } from './paint.ts'
import { toText } from './text.ts'

/** The outcome of a scan in the format asked for. */
export function render(outcomes: readonly Outcome[], options: ScanOptions, io: Io, milliseconds: number): string {
  if (options.format === 'json') return toJson(outcomes)
  const paint = choosePaint(options.output === undefined ? options.color : 'never', io)
  return toText(outcomes, { paint, columns: io.out.columns, isQuiet: options.quiet, milliseconds })
}
