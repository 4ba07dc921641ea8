import { detectors } from './detectors/index.ts'
import type { Context } from './flow/index.ts'
import { buildReports, type Report, type ScannedFile } from './report/index.ts'
import type { SourceUnit, TopLevel } from './syntax/index.ts'

export type { Confidence, Detector, Severity } from './detectors/detector.ts'
export { detectors } from './detectors/index.ts'
export * from './report/index.ts'

export interface InputFile {
  readonly path: string
  readonly text: string
}

export interface ScanOptions {
  /** Path shown in reports. */
  readonly path?: string
  readonly suppressions?: 'honour' | 'ignore'
}

const readPragmasAndContracts = (text: string): SourceUnit => {
  const blanked = text.replace(
    /\/\*[\s\S]*?(?:\*\/|$)|\/\/[^\n\r]*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g,
    (hidden) => ' '.repeat(hidden.length),
  )
  const members: TopLevel[] = []
  for (const match of blanked.matchAll(
    /\bpragma\s+(\w+)\s+([^;]*);|\b(contract|library|interface)\s+([A-Za-z_$][\w$]*)/g,
  )) {
    const start = match.index
    const end = start + match[0].length
    if (match[1]) members.push({ kind: 'PragmaDirective', start, end, name: match[1], value: (match[2] ?? '').trim() })
    else if (match[4]) {
      const name = { kind: 'Identifier', name: match[4], start: end - match[4].length, end } as const
      const close = blanked.indexOf('\n}', end)
      const contractEnd = close < 0 ? text.length : close + 2
      members.push({
        kind: 'ContractDefinition',
        contractKind: match[3] as 'contract',
        name,
        bases: [],
        layout: null,
        members: [],
        start,
        end: contractEnd,
      })
    }
  }
  return { kind: 'SourceUnit', start: 0, end: text.length, members }
}

/** Scans several files as one program; one report each, in the order given. */
export const scanFiles = (files: readonly InputFile[], options: Omit<ScanOptions, 'path'> = {}): Report[] =>
  files.flatMap(({ path, text }) => {
    const file: ScannedFile = { path, text, base: 0, unit: readPragmasAndContracts(text), errors: [] }
    const context = { model: { files: [file] } } as unknown as Context
    return buildReports({
      files: [file],
      context,
      detectors,
      ...(options.suppressions ? { suppressions: options.suppressions } : {}),
    })
  })

/** Solidity text in, report out. */
export const scan = (source: string, { path = 'contract.sol', ...options }: ScanOptions = {}): Report => {
  const [report] = scanFiles([{ path, text: source }], options)
  if (!report) throw new Error('one file in, one report out')
  return report
}
