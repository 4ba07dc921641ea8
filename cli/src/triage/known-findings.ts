import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { WireFinding, WireVulnerability } from '@assay/engine'
import { isAboutFile } from '@assay/engine/results'
import { reasonOf } from '../input/reason-of.ts'
import { Complaint } from '../io.ts'
import { knownFindings as texts } from '../messages/triage.ts'
import type { Boundary } from '../project/boundary.ts'
import { isTriageFile, type TriageEntry, type TriageState } from './triage-file.ts'

/** A finding that was there before, or that someone has judged. */
export interface KnownFinding {
  readonly fingerprint: string
  readonly path: string
  /** Set when the baseline is a triage file. */
  readonly triage?: { readonly state: TriageState; readonly reason: string; readonly until: string | null }
  /** Set when the baseline holds all of the finding, so that it can be reported as fixed. */
  readonly finding?: WireVulnerability
  /** The detector, of what is wrong with a file as such: one finding of the project, in whichever file and words. */
  readonly aboutFiles?: string
  /** How many files showed it; absent: it holds wherever it shows. */
  readonly files?: number
}

/** Reads what `--baseline` names: a JSON result, a SARIF log, or a triage file. */
export function readKnownFindings(path: string, folder: string, boundary: Boundary): KnownFinding[] {
  const content = parse(path, resolve(folder, path), boundary)
  const known = fromTriage(content) ?? fromResult(content) ?? fromSarif(content)
  if (known) return known
  throw new Complaint(texts.baselineNeitherTriageFile(path))
}

function parse(path: string, location: string, boundary: Boundary): unknown {
  if (boundary.names(location) && !boundary.holds(location))
    throw new Complaint(texts.baselineLeadsOutsideProject(path))
  try {
    return JSON.parse(readFileSync(location, 'utf8'))
  } catch (error) {
    const reason = error instanceof SyntaxError ? texts.notJson : reasonOf(error as NodeJS.ErrnoException)
    throw new Complaint(`--baseline ${path}: ${reason}.`)
  }
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null
const objects = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isObject) : [])
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const fromTriage = (content: unknown): KnownFinding[] | undefined =>
  isTriageFile(content) ? content.findings.map(toKnown) : undefined

const toKnown = ({ fingerprint, path, state, reason, until }: TriageEntry): KnownFinding => ({
  fingerprint,
  path,
  triage: { state, reason, until: until ?? null },
})

function fromResult(content: unknown): KnownFinding[] | undefined {
  if (!isObject(content) || !Array.isArray(content.files)) return undefined
  return objects(content.files).flatMap((file) => {
    const path = text(file.path)
    const weaknesses = objects(file.dataVulnerabilities) as unknown as WireVulnerability[]
    return [
      ...weaknesses.map((finding) => ({ fingerprint: finding.fingerprint, path, finding, ...spreadOf(finding) })),
      ...objects(file.advisories).map((advisory) => ({
        fingerprint: text(advisory.fingerprint),
        path,
        ...spreadOf(advisory as unknown as WireFinding),
      })),
    ]
  })
}

const spreadOf = (finding: WireFinding): Pick<KnownFinding, 'aboutFiles' | 'files'> =>
  isAboutFile(finding) ? { aboutFiles: finding.detector } : { files: countFiles(finding) }

/** In how many files a finding shows. */
export const countFiles = ({ places = [] }: Pick<WireFinding, 'places'>): number =>
  1 + new Set(places.flatMap(({ file }) => file ?? [])).size

/** SARIF of other tools has no fingerprint of Assay, so nothing in it is known. */
function fromSarif(content: unknown): KnownFinding[] | undefined {
  if (!isObject(content) || !Array.isArray(content.runs)) return undefined
  return objects(content.runs)
    .flatMap((run) => objects(run.results))
    .filter(({ baselineState }) => baselineState !== 'absent')
    .flatMap((result) => {
      const prints = isObject(result.partialFingerprints) ? result.partialFingerprints : {}
      const fingerprint = text(prints['assayFingerprint/v1'])
      const isShared = !objects(result.locations).some(({ logicalLocations }) => logicalLocations !== undefined)
      const shared = isShared
        ? { aboutFiles: text(result.ruleId) }
        : { files: 1 + new Set(objects(result.relatedLocations).map((place) => uriOf({ locations: [place] }))).size }
      return fingerprint === '' ? [] : [{ fingerprint, path: uriOf(result), ...shared }]
    })
}

function uriOf({ locations }: Json): string {
  const physical = objects(locations)[0]?.physicalLocation
  const artifact = isObject(physical) ? physical.artifactLocation : undefined
  return decodeURIComponent(text(isObject(artifact) ? artifact.uri : ''))
}
