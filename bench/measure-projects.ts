/** What the engine says of whole projects: the modern weaknesses it finds, and how quiet it is in audited protocols. */
import type { CorpusFile, CorpusFinding } from './corpus.ts'
import {
  hasSet,
  isCountedNoise,
  type ModernScore,
  noiseByProject,
  type ProjectFile,
  type ProjectFinding,
  type ProjectFindings,
  type ProjectNoise,
  readProjectFiles,
  type SetName,
  scanAlone,
  scanTogether,
  scoreModern,
} from './protocols.ts'
import { isCountedClass, type Judged, touches } from './reliability.ts'

export interface ProjectMeasures {
  readonly modern: {
    readonly files: readonly ProjectFile[]
    readonly found: ProjectFindings
    readonly score: ModernScore
  } | null
  readonly clean: {
    readonly files: readonly ProjectFile[]
    readonly together: ProjectFindings
    readonly alone: ProjectFindings
    readonly noiseTogether: readonly ProjectNoise[]
    readonly noiseAlone: readonly ProjectNoise[]
  } | null
  /** Sets that are not there. */
  readonly missing: readonly SetName[]
}

export const measureProjects = (): ProjectMeasures => {
  const sets: readonly SetName[] = ['modern', 'clean']
  return {
    modern: hasSet('modern') ? measureModern() : null,
    clean: hasSet('clean') ? measureClean() : null,
    missing: sets.filter((set) => !hasSet(set)),
  }
}

const measureModern = (): NonNullable<ProjectMeasures['modern']> => {
  const files = readProjectFiles('modern')
  const found = scanTogether('modern', files)
  return { files, found, score: scoreModern(found) }
}

const measureClean = (): NonNullable<ProjectMeasures['clean']> => {
  const files = readProjectFiles('clean')
  const together = scanTogether('clean', files)
  const alone = scanAlone('clean', files)
  return {
    files,
    together,
    alone,
    noiseTogether: noiseByProject(files, together),
    noiseAlone: noiseByProject(files, alone),
  }
}

/** A finding of the registry's classes against the labels of its file. */
const judgeFinding = (finding: CorpusFinding, file: CorpusFile): Judged['verdict'] => {
  const labels = (file.labels ?? []).filter(({ swc, altSwc }) => [swc, ...(altSwc ?? [])].includes(finding.swc))
  const hit = labels.filter((label) => touches(finding, label))
  if (hit.some(({ quality }) => quality !== 'disputed')) return 'right'
  if (hit.length > 0 || !file.complete?.includes(finding.swc)) return 'unlabelled'
  return 'wrong'
}

export const judgeCorpus = (
  files: readonly CorpusFile[],
  findings: Readonly<Record<string, readonly CorpusFinding[]>>,
): Judged[] =>
  files.flatMap((file) =>
    (findings[file.path] ?? []).map((finding) => ({
      set: file.source,
      rule: finding.swc,
      confidence: finding.confidence,
      verdict: judgeFinding(finding, file),
    })),
  )

const judgeModern = (finding: ProjectFinding, { labels = [], fixed = [] }: ProjectFile): Judged['verdict'] => {
  const isOf = (label: { class: string }): boolean => label.class === finding.swc || label.class === finding.id
  if (labels.some((label) => isOf(label) && touches(finding, label))) return 'right'
  return fixed.some((label) => isOf(label) && touches(finding, label)) ? 'wrong' : 'unlabelled'
}

export const judgeProjects = ({ modern, clean }: ProjectMeasures): Judged[] => {
  const judged: Judged[] = []
  for (const file of modern?.files ?? [])
    for (const finding of modern?.found[file.path] ?? [])
      judged.push({
        set: 'modern',
        rule: finding.swc ?? finding.id,
        confidence: finding.confidence,
        verdict: judgeModern(finding, file),
      })
  for (const file of clean?.files ?? [])
    for (const finding of clean?.together[file.path] ?? [])
      judged.push({
        set: 'clean',
        rule: finding.swc ?? finding.id,
        confidence: finding.confidence,
        verdict: isCountedClass(finding.swc ?? '') || isCountedNoise(finding) ? 'wrong' : 'unlabelled',
      })
  return judged
}
