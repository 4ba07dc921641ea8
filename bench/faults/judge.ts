/** Whether a fault is found: what is reported in the changed program and not in the unchanged one, and names the function. */
import { type Finding, type InputFile, type Report, type Severity, scanFiles } from '@assay/engine'
import { buildModel, type FunctionModel, type Model } from '../../engine/src/model/index.ts'
import { applyEdits, type Fault } from './fault.ts'
import { findCallers } from './find-faults.ts'

/** `found`: medium or more; `review`: so, but only for someone to look at; `other`: something new that is less or elsewhere. */
export type Verdict = 'found' | 'review' | 'other' | 'silent'

export interface Judgement {
  readonly verdict: Verdict
  /** Detectors behind it. */
  readonly by: readonly string[]
}

/** One place of a finding: those that share a cause are one finding with several places. */
interface ReportedPlace {
  readonly detector: string
  readonly severity: Severity
  readonly isReview: boolean
  readonly contract: string
  readonly function: string
  /** Functions that the message or the trace names. */
  readonly names: ReadonlySet<string>
}

const counts: readonly Severity[] = ['critical', 'high', 'medium']

/** What a scan of these files reports in those of the protocol's own. */
export const reportsOf = (files: readonly InputFile[], own: ReadonlySet<string>): readonly Report[] =>
  scanFiles(files, { reported: files.map(({ path }) => path).filter((path) => own.has(path)) })

const placesOf = (files: readonly InputFile[], reports: readonly Report[]): ReportedPlace[] => {
  const model = buildModel(files)
  const lineStarts = new Map(model.files.map((file) => [file.path, startsOfLines(file.text)]))
  const bases = new Map(model.files.map((file) => [file.path, file.base]))
  const functionAt = (path: string, line: number, column: number): FunctionModel | undefined =>
    model.functionAt((bases.get(path) ?? 0) + (lineStarts.get(path)?.[line - 1] ?? 0) + column - 1)
  return reports.flatMap(({ path, findings, advisories }) =>
    [...findings, ...advisories].flatMap((finding) => {
      const names = namesIn(finding, (step) => functionAt(step.file ?? path, step.line, step.column)?.name)
      return [finding, ...(finding.places ?? [])].map((place): ReportedPlace => {
        const fn = functionAt(('file' in place && place.file) || path, place.line, place.column)
        return {
          detector: finding.detector,
          severity: finding.severity,
          isReview: finding.kind === 'review',
          contract: fn?.contract?.name ?? finding.contract ?? '',
          function: fn ? fn.name || fn.role : (finding.function ?? ''),
          names,
        }
      })
    }),
  )
}

const namesIn = (
  { message, trace }: Finding,
  functionOf: (step: Finding['trace'][number]) => string | undefined,
): ReadonlySet<string> => {
  const quoted = [...message.matchAll(/`(?:\w+\.)?(\w+)(?:\([^`]*)?`/g)].map(([, name = '']) => name)
  return new Set([...quoted, ...trace.flatMap((step) => functionOf(step) ?? [])])
}

const startsOfLines = (text: string): number[] => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Places of `changed` that `unchanged` has not: as many of a detector in a function as there are more than before. */
const addedPlaces = (changed: readonly ReportedPlace[], unchanged: readonly ReportedPlace[]): ReportedPlace[] => {
  const keyOf = ({ detector, contract, function: name, severity, isReview }: ReportedPlace): string =>
    [detector, contract, name, counts.includes(severity), isReview].join('|')
  const known = new Map<string, number>()
  for (const place of unchanged) known.set(keyOf(place), (known.get(keyOf(place)) ?? 0) + 1)
  return changed.filter((place) => {
    const left = known.get(keyOf(place)) ?? 0
    known.set(keyOf(place), left - 1)
    return left <= 0
  })
}

/** The function that was changed and the entry points that reach it. */
const namesThatReach = (model: Model, { contract, function: name }: Fault): ReadonlySet<string> => {
  const fn = model.contracts
    .filter((each) => each.name === contract)
    .flatMap(({ functions }) => functions)
    .find((each) => (each.name || each.role) === name)
  const callers = fn ? findCallers(model)(fn) : []
  return new Set([name, ...callers.map((each) => each.name || each.role)])
}

export class Judge {
  readonly #files: readonly InputFile[]
  readonly #own: ReadonlySet<string>
  readonly #model: Model
  readonly #before: readonly ReportedPlace[]

  /** Files of one neighbourhood, unchanged. */
  constructor(files: readonly InputFile[], own: ReadonlySet<string>) {
    this.#files = files
    this.#own = own
    this.#model = buildModel(files)
    this.#before = placesOf(files, reportsOf(files, own))
  }

  judge(fault: Fault): Judgement {
    const files = changedFiles(this.#files, fault)
    const added = addedPlaces(placesOf(files, reportsOf(files, this.#own)), this.#before)
    const targets = namesThatReach(this.#model, fault)
    const near = added.filter(
      (place) => targets.has(place.function) || [...place.names].some((name) => targets.has(name)),
    )
    const counted = near.filter(({ severity }) => counts.includes(severity))
    const sure = counted.filter(({ isReview }) => !isReview)
    const by = (places: readonly ReportedPlace[]): string[] =>
      [...new Set(places.map(({ detector }) => detector))].sort()
    if (sure.length > 0) return { verdict: 'found', by: by(sure) }
    if (counted.length > 0) return { verdict: 'review', by: by(counted) }
    return added.length > 0 ? { verdict: 'other', by: by(added) } : { verdict: 'silent', by: [] }
  }
}

export const changedFiles = (files: readonly InputFile[], { path, edits }: Fault): readonly InputFile[] =>
  files.map((file) => (file.path === path ? { path, text: applyEdits(file.text, edits) } : file))
