/** Whole projects of the corpus: modern weaknesses with their labels, and audited protocols in which nothing is labelled. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Finding, type Report, scan, scanFiles } from '@assay/engine'
import { corpusFolder } from './corpus.ts'

export type SetName = 'modern' | 'clean'

export interface ProjectFile {
  readonly source: string
  /** Several projects can share a source. */
  readonly project?: string
  readonly path: string
  readonly sloc: number
  readonly labels?: readonly ModernLabel[]
  readonly fixed?: readonly ModernLabel[]
}

export interface ModernLabel {
  /** An SWC number where the registry's text fits, else a short name. */
  readonly class: string
  readonly lines?: readonly number[]
  readonly function?: string
  readonly fnLines?: readonly [number, number]
  readonly moreFnLines?: readonly (readonly [number, number])[]
  readonly quality?: string
}

/** One finding or advisory, as the scorer wants it. */
export interface ProjectFinding {
  readonly id: string
  /** The detector that a finer one was split from: classes name that one. */
  readonly family: string
  readonly swc?: string
  readonly line: number
  readonly endLine: number
  readonly function: string | null
  readonly severity: Finding['severity']
  readonly confidence: Finding['confidence']
  readonly message: string
  /** What the engine only asks a person to look at. */
  readonly isReview: boolean
}

export type ProjectFindings = Readonly<Record<string, readonly ProjectFinding[]>>

export const hasSet = (set: SetName): boolean => existsSync(path.join(corpusFolder(), set, 'truth.json'))

export const readProjectFiles = (set: SetName): ProjectFile[] =>
  JSON.parse(readFileSync(path.join(corpusFolder(), set, 'truth.json'), 'utf8')) as ProjectFile[]

export const projectOf = ({ source, project }: ProjectFile): string =>
  project === undefined ? source : `${source}/${project}`

const toProjectFinding = (finding: Finding): ProjectFinding => ({
  id: finding.detector,
  family: finding.family,
  ...(finding.swc === null ? {} : { swc: finding.swc }),
  line: finding.line,
  endLine: finding.endLine,
  function: finding.function,
  severity: finding.severity,
  confidence: finding.confidence,
  message: finding.message,
  isReview: 'kind' in finding && finding.kind === 'review',
})

const findingsOf = (report: Report): ProjectFinding[] =>
  [...report.findings, ...report.advisories].map(toProjectFinding)

const readText = (set: SetName, file: string): string => readFileSync(path.join(corpusFolder(), set, file), 'utf8')

const listSolidity = (set: SetName, folder: string): string[] =>
  readdirSync(path.join(corpusFolder(), set, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.sol'))
    .map((file) => path.posix.join(folder, file.split(path.sep).join('/')))
    .sort()

/** Each file by itself, as a single upload is scanned. */
export const scanAlone = (set: SetName, files: readonly ProjectFile[]): ProjectFindings =>
  Object.fromEntries(files.map((file) => [file.path, findingsOf(scan(readText(set, file.path), { path: file.path }))]))

/** Each project as one program; files without labels are read so that imports resolve, and not counted. */
export const scanTogether = (set: SetName, files: readonly ProjectFile[]): ProjectFindings => {
  const counted = new Set(files.map((file) => file.path))
  const found: Record<string, ProjectFinding[]> = {}
  for (const project of new Set(files.map(projectOf))) {
    const inputs = listSolidity(set, project).map((file) => ({ path: file, text: readText(set, file) }))
    for (const report of scanFiles(inputs)) if (counted.has(report.path)) found[report.path] = findingsOf(report)
  }
  return found
}

interface Rate {
  readonly labels: number
  readonly found: number
}

export interface ModernScore {
  readonly total: Rate
  readonly byClass: readonly (Rate & { readonly class: string; readonly by: readonly string[] })[]
  readonly bySource: readonly (Rate & { readonly source: string })[]
  readonly fixed: {
    readonly twins: number
    readonly flagged: readonly { readonly path: string; readonly by: string[] }[]
  }
  readonly labels: readonly {
    readonly class: string
    readonly path: string
    readonly lines: readonly number[]
    readonly function?: string
    readonly found: boolean
    readonly others: readonly string[]
  }[]
}

/** Asks the corpus's own scorer, whose table says which detectors stand for which class. */
export const scoreModern = (findings: ProjectFindings): ModernScore => {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-accuracy-'))
  try {
    const file = path.join(folder, 'findings.json')
    writeFileSync(file, JSON.stringify(findings))
    const scorer = path.join(corpusFolder(), 'score-modern.mjs')
    const truth = path.join(corpusFolder(), 'modern/truth.json')
    const out = execFileSync(process.execPath, [scorer, 'score', truth, file, '--json'], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    })
    return JSON.parse(out) as ModernScore
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** How loud one project of audited code is. */
export interface ProjectNoise {
  readonly project: string
  readonly lines: number
  /** Findings at critical or high. */
  readonly severe: number
  /** Of these, without SWC-103: a library floats its pragma on purpose. */
  readonly severeWithout103: number
  /** Advisories at critical or high. */
  readonly severeAdvisories: number
  readonly reviews: number
  readonly all: number
}

export const isSevere = ({ severity }: ProjectFinding): boolean => severity === 'critical' || severity === 'high'

export const isCountedNoise = (finding: ProjectFinding): boolean =>
  isSevere(finding) && !finding.isReview && finding.swc !== undefined && finding.swc !== 'SWC-103'

export const noiseByProject = (files: readonly ProjectFile[], findings: ProjectFindings): ProjectNoise[] => {
  const projects = new Map<string, ProjectFile[]>()
  for (const file of files) projects.set(projectOf(file), [...(projects.get(projectOf(file)) ?? []), file])
  return [...projects].map(([project, members]) => {
    const all = members.flatMap((file) => findings[file.path] ?? [])
    const severe = all.filter((finding) => isSevere(finding) && !finding.isReview)
    return {
      project,
      lines: members.reduce((sum, { sloc }) => sum + sloc, 0),
      severe: severe.filter(({ swc }) => swc !== undefined).length,
      severeWithout103: all.filter(isCountedNoise).length,
      severeAdvisories: severe.filter(({ swc }) => swc === undefined).length,
      reviews: all.filter(({ isReview }) => isReview).length,
      all: all.length,
    }
  })
}

export const perThousandLines = (count: number, lines: number): number => (lines === 0 ? 0 : (1000 * count) / lines)

export interface NoiseSummary {
  readonly overall: number
  readonly median: number
  readonly worst: number
  readonly withAdvisories: number
}

export const summariseNoise = (projects: readonly ProjectNoise[]): NoiseSummary => {
  const lines = projects.reduce((sum, project) => sum + project.lines, 0)
  const count = (pick: (project: ProjectNoise) => number): number =>
    projects.reduce((sum, project) => sum + pick(project), 0)
  const rates = projects
    .map((project) => perThousandLines(project.severeWithout103, project.lines))
    .sort((a, b) => a - b)
  return {
    overall: perThousandLines(
      count(({ severeWithout103 }) => severeWithout103),
      lines,
    ),
    median: medianOf(rates),
    worst: rates.at(-1) ?? 0,
    withAdvisories: perThousandLines(
      count(({ severeWithout103, severeAdvisories }) => severeWithout103 + severeAdvisories),
      lines,
    ),
  }
}

const medianOf = (sorted: readonly number[]): number => {
  if (sorted.length === 0) return 0
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
