import { type Claims, causesOf, type Detector, type Hit } from '../detectors/define-detector.ts'
import { type Behaviour, type Context, followedIn, ownOf, type Part } from '../ir/index.ts'
import type { ContractModel, FunctionModel, Model, SourceFile } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import type { Crew } from './crew.ts'
import { KnownTexts } from './known-texts.ts'
import type { Memory } from './memory.ts'
import { mergeFindings } from './merge-findings.ts'
import { PartMemory, type PartResult } from './part-memory.ts'
import type { Observer, RawFinding } from './raw-finding.ts'

export interface RunOptions {
  /** `<detector>/<excuse>`: these do not hold anywhere. For tests that prove an excuse. */
  readonly withoutExcuses?: ReadonlySet<string>
  /** Claims are shown every function, also those that hold nothing of what they need. For the test that needs lose nothing. */
  readonly ignoreNeeds?: boolean
  readonly observer?: Observer
  /** Called again and again: from the first yes on nothing more is analyzed, and the reports name what was not reached. */
  readonly isTimeUp?: () => boolean
  /** What earlier scans found in partitions that are the same now. */
  readonly memory?: Memory
  /** What that memory says about texts by themselves. */
  readonly knownTexts?: KnownTexts
  /** Shares the partitions with other threads, by way of the memory. */
  readonly crew?: Crew
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

/** What is taken from a partition beside findings, while its answers are known. */
export interface Gathering {
  from(partition: Context): Gathered & { readonly isComplete: boolean }
  /** The same from a file, for what is declared and written in it. */
  fromFile(file: SourceFile): Pick<Gathered, 'concerns'> & { readonly isComplete: boolean }
  add(gathered: Gathered): void
}

type Gathered = Pick<PartResult, 'reached' | 'concerns'>

const nothing = { reached: [], concerns: [], isComplete: false }
const nothingElse: Gathering = { from: () => nothing, fromFile: () => nothing, add: () => {} }

/** Runs every detector over each partition, then over the model. */
export const runDetectors = (
  behaviour: Behaviour,
  detectors: readonly Detector[],
  options: RunOptions = {},
  gathering: Gathering = nothingElse,
): DetectorRun => {
  const { model } = behaviour
  const run = new Run(options)
  const memory = memoryFor(model, detectors, options)
  let unreached: DetectorRun['unreached'] = []
  const analyze = (part: Part) => {
    const partition = behaviour.open(part)
    const before = run.raw.length
    const failed = run.failed.size
    run.query(detectors, (detector) => claimsAbout(detector, partition, options.ignoreNeeds === true))
    const raw = run.raw.splice(before)
    const isKept = memory !== undefined || behaviour.isSplit
    const { isComplete, ...gathered } = run.isStopped ? nothing : gathering.from(partition)
    return {
      result: {
        raw: isKept ? raw.map(detached) : raw,
        followed: followedIn(partition),
        ...gathered,
        weight: weightIn(partition),
      },
      isComplete: isComplete && run.failed.size === failed,
    }
  }
  const resultOf = (part: Part): PartResult => {
    const result =
      memory?.find(part, behaviour.limitOf(part)) ?? memory?.record(part, () => analyze(part)) ?? analyze(part).result
    if (!run.isStopped) options.observer?.analysed?.(ownOf(part))
    return result
  }
  const take = (result: PartResult): void => {
    run.raw.push(...result.raw)
    gathering.add(result)
    behaviour.close(result.followed)
  }
  let next = behaviour.nextPart()
  if (memory !== undefined && options.crew !== undefined) {
    const shared: Part[] = []
    // These depend on no other.
    for (; next?.isForDerived; next = behaviour.nextPart()) shared.push(next)
    const results = shareOut(shared, options.crew, resultOf)
    if (results === undefined) return { raw: [], failed: [], unreached: [] }
    results.forEach(take)
  }
  for (; next !== null; next = behaviour.nextPart()) {
    const result = resultOf(next)
    if (run.isStopped) {
      run.raw.push(...result.raw)
      unreached = behaviour.stop()
      break
    }
    take(result)
  }
  const inModel = runInModel(model, detectors, options, memory, gathering)
  return {
    raw: mergeFindings([...run.raw, ...inModel.raw], options.observer),
    failed: [...new Set([...run.failed, ...inModel.failed])],
    unreached,
  }
}

/** In the order of the partitions; undefined for a helper, which begins at the other end. */
const shareOut = (
  parts: readonly Part[],
  crew: Crew,
  resultOf: (part: Part) => PartResult,
): readonly PartResult[] | undefined => {
  const numbers = [...parts.keys()]
  const own = new Map<number, PartResult>()
  for (const number of crew.isHelper ? numbers.reverse() : numbers) {
    if (!crew.claim(number)) continue
    own.set(number, resultOf(parts[number]!))
    crew.finish(number)
  }
  if (crew.isHelper) return undefined
  return parts.map((part, number) => {
    const known = own.get(number)
    if (known === undefined) crew.waitFor(number)
    return known ?? resultOf(part)
  })
}

/** A look at the text of the files takes little, also of those whose behavior was not reached. */
const runInModel = (
  model: Model,
  detectors: readonly Detector[],
  options: RunOptions,
  memory: PartMemory | undefined,
  gathering: Gathering,
): Run => {
  const run = new Run({ ...options, isTimeUp: () => false })
  const query = (
    subject: SourceFile | Detector,
    queried: readonly Detector[],
    question: Question,
    gather: () => ReturnType<Gathering['fromFile']> = () => ({ concerns: [], isComplete: true }),
  ): void => {
    const analyze = () => {
      const before = run.raw.length
      const failed = run.failed.size
      run.query(queried, question)
      const raw = run.raw.splice(before)
      const { concerns, isComplete } = gather()
      return {
        result: { ...nothingFollowed, raw: memory === undefined ? raw : raw.map(detached), concerns },
        isComplete: isComplete && run.failed.size === failed,
      }
    }
    const result = memory?.find(subject) ?? memory?.record(subject, analyze) ?? analyze().result
    run.raw.push(...result.raw)
    gathering.add(result)
  }
  for (const detector of detectors)
    if (detector.candidatesInModel) query(detector, [detector], (each) => each.candidatesInModel?.(model))
  const inFiles = detectors.filter(({ candidatesInFile }) => candidatesInFile !== undefined)
  for (const file of model.files)
    query(
      file,
      inFiles,
      (each) => each.candidatesInFile?.(file, model),
      () => gathering.fromFile(file),
    )
  return run
}

const nothingFollowed: Omit<PartResult, 'raw'> = {
  followed: { cuts: [], leftOut: [], covered: [] },
  reached: [],
  concerns: [],
  weight: 0,
}

/** Only the scan that everybody gets is kept. */
const memoryFor = (
  model: Model,
  detectors: readonly Detector[],
  { memory, knownTexts, withoutExcuses, ignoreNeeds, observer }: RunOptions,
): PartMemory | undefined =>
  memory === undefined || withoutExcuses?.size || ignoreNeeds || observer?.excused
    ? undefined
    : new PartMemory(model, memory, knownTexts ?? new KnownTexts(memory), detectors)

/** A partition that cannot be followed at all is never kept. */
const weightIn = (partition: Context): number => {
  try {
    return partition.weight
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
