import { chooseCompilerVersion, fixableDetectors, type SarifFix } from '@assay/engine'
import { isScanned, type ProjectScan } from '../scan/outcome.ts'
import { fixProgram } from './fix-program.ts'
import { scanFindings } from './scan-findings.ts'

export type FindFix = (file: string, fingerprint: string) => SarifFix | undefined

/** Safe patches for the findings of a scan that hold when the result is scanned again. */
export async function createFixFinder({ outcomes, programs, project }: ProjectScan): Promise<FindFix> {
  const fixes = new Map<string, SarifFix>()
  const texts = new Map(outcomes.filter(isScanned).map(({ path, text }) => [path, text]))
  const wanted = new Set(
    outcomes
      .filter(isScanned)
      .flatMap(({ result }) => [...result.dataVulnerabilities, ...result.advisories])
      .filter(({ detector }) => fixableDetectors.includes(detector))
      .map(({ fingerprint }) => fingerprint),
  )
  if (wanted.size === 0) return () => undefined
  const all = programs.flatMap(({ files }) => files.map(({ text }) => text))
  const compilerVersion = chooseCompilerVersion(all, project?.compiler)
  for (const program of programs) {
    const { applied } = await fixProgram(program, {
      compilerVersion,
      withUnsafe: false,
      // Places of later rounds are places of a text that nobody else has.
      rounds: 1,
      isWanted: ({ fingerprint }) => wanted.has(fingerprint),
      scan: (files) => scanFindings(program, files),
    })
    for (const { path, finding, fix } of applied) {
      const text = texts.get(path) ?? ''
      const replacements = fix.edits.map((edit) => toReplacement(text, edit))
      fixes.set(`${path}\0${finding.fingerprint}`, { title: fix.title, replacements })
    }
  }
  return (file, fingerprint) => fixes.get(`${file}\0${fingerprint}`)
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
