import { type Claims, causesOf, type Detector, type Hit } from '../detectors/define-detector.ts'
import type { Behaviour, Context } from '../ir/index.ts'
import type { ContractModel, FunctionModel } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import { mergeFindings } from './merge-findings.ts'
import type { Observer, RawFinding } from './raw-finding.ts'

export interface RunOptions {
  /** `<detector>/<excuse>`: these do not hold anywhere. For tests that prove an excuse. */
  readonly withoutExcuses?: ReadonlySet<string>
  /** Claims are shown every function, also those that hold nothing of what they need. For the test that needs lose nothing. */
  readonly ignoreNeeds?: boolean
  readonly observer?: Observer
  /** Asked again and again: from the first yes on nothing more is looked at, and the reports name what was not reached. */
  readonly isTimeUp?: () => boolean
}

export interface DetectorRun {
  readonly raw: readonly RawFinding[]
  /** Ids of the detectors that threw. */
  readonly failed: readonly string[]
  /** What some detector did not look at, because time was up. */
  readonly unreached: readonly (ContractModel | FunctionModel)[]
}

const rawFinding = (detector: Detector, hit: Hit): RawFinding => {
  const { start, end } = hit.at
  return { detector, hit, start, end }
}

/** Places alone: an operation that stands for its place would keep alive all that it was made of. */
const detached = (finding: RawFinding): RawFinding => {
  const { hit } = finding
  const trace = hit.trace?.map((step) => ({ ...step, at: spanOf(step.at) }))
  const cause = hit.cause === undefined ? {} : { cause: causesOf(hit.cause).map(spanOf) }
  return { ...finding, hit: { ...hit, at: spanOf(hit.at), ...cause, ...(trace ? { trace } : {}) } }
}

const spanOf = ({ start, end }: Span): Span => ({ start, end })

type Question = (detector: Detector) => Claims<unknown> | undefined

class Run {
  readonly raw: RawFinding[] = []
  readonly failed = new Set<string>()
  readonly #without: ReadonlySet<string>
  readonly #observer: Observer | undefined
  readonly #isTimeUp: () => boolean
  /** Once time is up it stays so. */
  isStopped = false

  constructor({ withoutExcuses = new Set(), observer, isTimeUp = () => false }: RunOptions) {
    this.#without = withoutExcuses
    this.#observer = observer
    this.#isTimeUp = isTimeUp
  }

  /** Asks each detector until time is up; one that throws costs its own findings from there on, of one partition alone. */
  query(detectors: readonly Detector[], question: Question): void {
    for (const detector of detectors) {
      this.isStopped ||= this.#isTimeUp()
      if (this.isStopped) return
      try {
        const claims = question(detector)?.[Symbol.iterator]()
        let isReported = false
        for (let next = claims?.next(); next !== undefined && !next.done; next = claims?.next(isReported))
          isReported = this.#judge(detector, next.value)
      } catch (cause) {
        this.failed.add(detector.id)
        this.#observer?.failed?.(detector, cause)
      }
    }
  }

  /** Whether it is reported: nothing excuses it. */
  #judge(detector: Detector, candidate: unknown): boolean {
    const { id, excuses } = detector
    const excuse = excuses?.find((one) => this.#counts(id, one.name) && one.holds(candidate))
    if (excuse === undefined) this.raw.push(rawFinding(detector, detector.finding(candidate)))
    else this.#observer?.excused?.(rawFinding(detector, detector.finding(candidate)), excuse)
    return excuse === undefined
  }

  /** Nearly every run is with all excuses. */
  #counts(detector: string, excuse: string): boolean {
    return this.#without.size === 0 || !this.#without.has(`${detector}/${excuse}`)
  }
}

/** What a detector claims about those functions that hold what it needs. */
const claimsAbout = (detector: Detector, context: Context, ignoreNeeds: boolean): Claims<unknown> | undefined => {
  const { candidates, needs } = detector
  if (candidates === undefined) return undefined
  if (needs === undefined || ignoreNeeds) return detector.candidates?.(context)
  const narrowed = context.having(needs)
  return narrowed.isEmpty ? undefined : detector.candidates?.(narrowed)
}

/** Runs every detector over each partition, then over the model. `look` sees each partition while its answers are known. */
export const runDetectors = (
  behaviour: Behaviour,
  detectors: readonly Detector[],
  options: RunOptions = {},
  look: (partition: Context) => void = () => {},
): DetectorRun => {
  const { model } = behaviour
  const run = new Run(options)
  let unreached: DetectorRun['unreached'] = []
  for (let partition = behaviour.next(); partition !== null; partition = behaviour.next()) {
    const context = partition
    const before = run.raw.length
    run.query(detectors, (detector) => claimsAbout(detector, context, options.ignoreNeeds === true))
    if (behaviour.isSplit) for (let i = before; i < run.raw.length; i++) run.raw[i] = detached(run.raw[i]!)
    if (run.isStopped) {
      unreached = behaviour.stop()
      break
    }
    look(partition)
    options.observer?.analysed?.(partition.part.contracts)
  }
  // A look at the text of the files takes little, also of those whose behaviour was not reached.
  const inModel = new Run({ ...options, isTimeUp: () => false })
  inModel.query(detectors, (detector) => detector.candidatesInModel?.(model))
  return {
    raw: mergeFindings([...run.raw, ...inModel.raw], options.observer),
    failed: [...new Set([...run.failed, ...inModel.failed])],
    unreached,
  }
}
