import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Confidence } from '@assay/engine'
import type { LabelledPlace } from './reliability.ts'

/** The labelled files that accuracy is measured on; they live beside the project, never inside it. */
export interface CorpusFile {
  readonly source: string
  readonly path: string
  readonly kind: 'vulnerable' | 'fixed' | 'clean'
  readonly sloc: number
  /** Classes whose labelling in this file is complete. */
  readonly complete?: readonly string[]
  readonly labels?: readonly CorpusLabel[]
}

export interface CorpusLabel extends LabelledPlace {
  readonly swc: string
  readonly altSwc?: readonly string[]
  readonly quality?: string
}

export interface CorpusFinding {
  readonly swc: string
  readonly line: number
  readonly endLine: number
  readonly confidence: Confidence
  readonly function?: string
}

export interface ScoreRow {
  readonly source: string
  readonly swc: string
  readonly labels: number
  readonly hits: number
  readonly lineHits: number
  readonly findings: number
  readonly tp: number
  readonly fp: number
  readonly fixedFiles: number
  readonly fixedFlagged: number
  readonly recall: number | null
}

export interface Score {
  readonly rows: readonly ScoreRow[]
  readonly bySource: readonly ScoreRow[]
  readonly bySwc: readonly ScoreRow[]
  readonly total: ScoreRow
  readonly missed: readonly string[]
  readonly falsePositives: readonly string[]
}

const projectFolder = fileURLToPath(new URL('..', import.meta.url))

export const corpusFolder = (): string =>
  path.resolve(process.env.CORPUS_DIR ?? path.join(projectFolder, '../shared/corpus'))

export const hasCorpus = (): boolean => existsSync(path.join(corpusFolder(), 'dev/truth.json'))

export const readTruth = (): CorpusFile[] =>
  JSON.parse(readFileSync(path.join(corpusFolder(), 'dev/truth.json'), 'utf8')) as CorpusFile[]

export const readCorpusText = (file: CorpusFile): string =>
  readFileSync(path.join(corpusFolder(), 'dev', file.path), 'utf8')

/** Asks the corpus's own scorer. */
export const scoreFindings = (
  findings: Readonly<Record<string, readonly CorpusFinding[]>>,
  options: readonly string[],
): Score => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-accuracy-'))
  try {
    const file = path.join(folder, 'findings.json')
    writeFileSync(file, JSON.stringify(findings))
    const scorer = path.join(corpusFolder(), 'score.mjs')
    const truth = path.join(corpusFolder(), 'dev/truth.json')
    const out = execFileSync(process.execPath, [scorer, truth, file, '--json', '--missed', '--fps', ...options], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    return JSON.parse(out) as Score
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
