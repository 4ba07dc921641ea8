import { chooseCompilerVersion, fixableDetectors, fixProgram, type SarifFix } from '@assay/engine'
import { locate } from '../scan/causes.ts'
import type { ProjectScan, Shown } from '../scan/outcome.ts'
import { scanFindings } from './scan-findings.ts'

export type FindFix = (file: string, fingerprint: string) => SarifFix | undefined

/** By place: findings that are joined into one have a fingerprint of their own. */
const keyOf = (path: string, { detector, line, column }: Pick<Shown, 'detector' | 'line' | 'column'>): string =>
  [path, detector, line, column].join('\0')

/** Safe patches for the findings of a scan that hold when the result is scanned again. */
export async function createFixFinder({ outcomes, programs, project }: ProjectScan): Promise<FindFix> {
  const located = locate(outcomes)
  const isWanted = ({ detector }: Pick<Shown, 'detector'>) => fixableDetectors.includes(detector)
  if (!located.some(({ finding }) => isWanted(finding))) return () => undefined
  const all = programs.flatMap(({ files }) => files)
  const texts = new Map(all.map(({ path, text }) => [path, text]))
  const compilerVersion = chooseCompilerVersion([...texts.values()], project?.compilers)
  const fixes = new Map<string, SarifFix>()
  for (const program of programs) {
    const { applied } = await fixProgram(program, {
      compilerVersion,
      withUnsafe: false,
      // Places of later rounds are places of a text that nobody else has.
      rounds: 1,
      isWanted,
      scan: (files) => scanFindings(program, files),
    })
    for (const { path, finding, fix } of applied) {
      const replacements = fix.edits.map((edit) => toReplacement(texts.get(path) ?? '', edit))
      fixes.set(keyOf(path, finding), { title: fix.title, replacements })
    }
  }
  return (file, fingerprint) => {
    const same = located.find(({ path, finding }) => path === file && finding.fingerprint === fingerprint)
    return same && fixes.get(keyOf(file, same.finding))
  }
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
