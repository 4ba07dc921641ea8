import { fixableDetectors, type SarifFix, scanFiles, toScanResult } from '@assay/engine'
import { locate } from '../scan/causes.ts'
import { isScanned, type ProjectScan, type Shown } from '../scan/outcome.ts'
import { type Program, splitProgram } from '../scan/programs.ts'
import { findFix } from './apply-fixes.ts'

/** Each patch costs a scan of its file with what it imports: so many are tried for one report. */
const maxTried = 50

export type FindFix = (file: string, fingerprint: string) => SarifFix | undefined

/** Patches that hold by themselves, for findings of a scan; each is tried when it is asked for. */
export function createFixFinder({ outcomes }: ProjectScan, programs: readonly Program[]): FindFix {
  let tried = 0
  return (file, fingerprint) => {
    const outcome = outcomes.filter(isScanned).find(({ path }) => path === file)
    const finding = outcome && locate([outcome]).find((item) => item.finding.fingerprint === fingerprint)?.finding
    const program = programs.find(({ reported }) => reported.includes(file))
    if (!outcome || !finding || !program || !fixableDetectors.includes(finding.detector) || tried >= maxTried) return
    tried++
    const alone = splitProgram({ ...program, reported: [file] })[0] as Program
    const scanText = (text: string) => scanOne(alone, file, text)
    const fix = findFix({ text: outcome.text, findings: scanText(outcome.text) ?? [] }, finding, scanText, {})
    if (!fix) return
    return { title: fix.title, replacements: fix.edits.map((edit) => toReplacement(outcome.text, edit)) }
  }
}

/** The findings of a file when it says this; undefined when it cannot be read any more. */
export function scanOne({ files, importTargets }: Program, path: string, text: string): Shown[] | undefined {
  const changed = files.map((file) => (file.path === path ? { path, text } : file))
  const report = scanFiles(changed, { importTargets }).find((each) => each.path === path)
  if (!report || report.unreadable || report.parseErrors.length > 0) return undefined
  const result = toScanResult(report, { scanId: '', file: path })
  return locate([{ path, text, result }]).map(({ finding }) => finding)
}

function toReplacement(source: string, edit: { start: number; end: number; text: string }) {
  const [line, column] = placeAt(source, edit.start)
  const [endLine, endColumn] = placeAt(source, edit.end)
  return { line, column, endLine, endColumn, text: edit.text }
}

function placeAt(text: string, offset: number): [line: number, column: number] {
  const before = text.slice(0, offset).split(/\r\n|[\n\r]/)
  return [before.length, (before.at(-1) ?? '').length + 1]
}
