import type { Io } from '../io.ts'
import { reportProject as texts } from '../messages/output.ts'
import { type Setting, settingLine } from '../project/setting.ts'
import { isScanned, type Outcome } from '../scan/outcome.ts'
import { safeText } from './pipeline-safe.ts'
import { printable, printableName } from './printable.ts'

interface ReadProject {
  readonly settings: readonly Setting[]
  /** Outside of the project. */
  readonly refused: readonly string[]
  readonly unreadable?: readonly { readonly path: string; readonly error: string }[]
  /** Of a scan, which has what could not be read among its files. */
  readonly outcomes?: readonly Outcome[]
}

/** What the project changed besides its source, for commands whose output is something else: its settings, and what was not read. */
export function reportProject({ settings, refused, outcomes = [], ...read }: ReadProject, io: Io): void {
  const unreadable = read.unreadable ?? outcomes.flatMap((outcome) => (isScanned(outcome) ? [] : [outcome]))
  reportSettings(settings, io)
  const reported = new Set(unreadable.map(({ path }) => path))
  for (const path of refused)
    if (!reported.has(path)) io.err.write(safeText(texts.assayOutsideProjectNot(printableName(path))))
  for (const { path, error } of unreadable)
    io.err.write(safeText(`assay: ${printableName(path)}: ${printable(error)}\n`))
}

/** A result for machines has them, too; the log of the job that made it should not have to be searched for them. */
export function reportSettings(settings: readonly Setting[], io: Io): void {
  for (const setting of settings) io.err.write(safeText(`assay: ${printableName(settingLine(setting))}\n`))
}
