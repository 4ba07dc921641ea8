/**
 * Results of partitions, and of claims about files and declarations, kept from one scan to the next. Each is made from the
 * declarations of the whole program and from the bodies that were read meanwhile; it is taken again when all of these are the
 * same. Places are kept as tokens, so comments and line breaks change nothing. Where the text of a file was read as such, it
 * must be the same text.
 */
import type { Concern } from '../advice/index.ts'
import type { Detector, Hit, TraceStep } from '../detectors/define-detector.ts'
import type { FlowDiagnostic, Followed, Part } from '../ir/index.ts'
import type { Model, SourceFile } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import type { KnownTexts } from './known-texts.ts'
import type { Memory } from './memory.ts'
import type { RawFinding } from './raw-finding.ts'
import { type TokenPlace, TokenPlaces } from './token-places.ts'

/** All that a scan takes from a partition, a file or the declarations. */
export interface PartResult {
  readonly raw: readonly RawFinding[]
  readonly followed: Followed
  /** Functions and modifiers that an entry point runs. */
  readonly reached: Iterable<object>
  readonly concerns: readonly Concern[]
  /** What following it took; it takes no less when more would be allowed. */
  readonly weight: number
}

/** What a result is about. */
export type Subject = Part | SourceFile | Detector

/** A file by its number; a region of it, all of its bodies, or its text. */
type Read = readonly [file: number, region: number]
const allBodies = -1
const wholeText = -2

/**
 * A file by its number, two places, and where these are in the text as it was; of known libraries, which are the same in every
 * scan, two offsets.
 */
type Place =
  | readonly [file: number, start: TokenPlace, end: TokenPlace, startOffset: number, endOffset: number]
  | readonly [-1, number, number]
/** Instead of a region: the offset in a text that was read as such. */
const inText = -1

interface Entry {
  /** The text of each file with a place: while it is the same, so are offsets. */
  readonly texts: readonly (readonly [file: number, digest: string])[]
  readonly reads: readonly (readonly [...Read, digest: string])[]
  readonly raw: readonly { readonly detector: string; readonly hit: object; readonly places: readonly Place[] }[]
  readonly cuts: readonly { readonly message: string; readonly at: Place }[]
  readonly covered: readonly Read[]
  readonly reached: readonly Read[]
  readonly concerns: readonly { readonly practice: string; readonly subject: object; readonly at: Place }[]
  readonly weight: number
}

export class PartMemory {
  readonly #model: Model
  readonly #memory: Memory
  readonly #detectors: ReadonlyMap<string, Detector>
  readonly #files: readonly TokenPlaces[]
  readonly #numbers = new Map<object, Read>()
  readonly #program: string
  readonly #texts: readonly string[]
  /** Of each region of each file. */
  readonly #regions: readonly (readonly string[])[]
  readonly #allBodies = new Map<number, string>()

  constructor(model: Model, memory: Memory, texts: KnownTexts, detectors: readonly Detector[]) {
    this.#model = model
    this.#memory = memory
    this.#detectors = new Map(detectors.map((detector) => [detector.id, detector]))
    this.#files = model.files.map((file) => new TokenPlaces(file))
    this.#texts = this.#files.map(({ text }) => texts.digestOf(text))
    this.#regions = this.#files.map((places) => texts.regionsOf(places))
    this.#files.forEach(({ file, callables, pragmas }, number) => {
      this.#numbers.set(file, [number, wholeText])
      this.#numbers.set(file.versions, [number, pragmas])
      this.#numbers.set(file.unit, [number, allBodies])
      for (const [index, node] of callables.entries()) this.#numbers.set(node, [number, index + 1])
    })
    const declared = this.#files.map(({ file }, number) => [
      file.path,
      file.imports.map(({ target }) => target?.path ?? null),
      file.versions.language,
      // What could not be read may begin or end anything around it.
      file.errors.length > 0 ? this.#texts[number] : this.#regions[number]![0],
    ])
    this.#program = memory.digest(JSON.stringify([declared, detectors.map(({ id }) => id)]))
  }

  /** What came of this before; `limit` is what following it may take. */
  find(subject: Subject, limit = 0): PartResult | undefined {
    try {
      const entry = this.#entriesOf(subject).find(
        ({ weight, reads }) =>
          weight <= limit && reads.every(([file, region, digest]) => this.#digestOf([file, region]) === digest),
      )
      return entry && this.#decode(entry)
    } catch {
      // What cannot be read was not written by this engine.
      return undefined
    }
  }

  #entriesOf(subject: Subject): readonly Entry[] {
    const kept = this.#memory.find(this.#keyOf(subject))
    return kept === undefined ? [] : (JSON.parse(kept) as Entry[])
  }

  /** Beside the one before it, so that an edit can be undone. */
  #keep(subject: Subject, entry: Entry): void {
    let before: readonly Entry[] = []
    try {
      before = this.#entriesOf(subject).slice(0, 1)
    } catch {
      // As above.
    }
    this.#memory.keep(this.#keyOf(subject), JSON.stringify([entry, ...before]))
  }

  /** Analyzes, and keeps the result if it is complete. */
  record(subject: Subject, analyze: () => { readonly result: PartResult; readonly isComplete: boolean }): PartResult {
    const read = new Set<object>()
    for (const { unit } of this.#model.files) unit.reads.addTo(read)
    try {
      const { result, isComplete } = analyze()
      for (const { unit } of this.#model.files) unit.reads.addTo(null)
      const isWhole = isComplete && Number.isFinite(result.weight) && result.followed.leftOut.length === 0
      const entry = isWhole ? this.#encode(result, read) : null
      if (entry !== null) this.#keep(subject, entry)
      return result
    } finally {
      for (const { unit } of this.#model.files) unit.reads.addTo(null)
    }
  }

  #keyOf(subject: Subject): string {
    const about = 'freeFunctions' in subject ? this.#idOf(subject) : 'path' in subject ? [subject.path] : subject.id
    return this.#memory.digest(JSON.stringify([this.#program, about]))
  }

  #idOf({ contracts, files, freeFunctions, isForDerived, covered, without }: Part): readonly unknown[] {
    const functions = contracts.flatMap((contract) => contract.functions)
    return [
      contracts.map((contract) => [contract.file.path, contract.name, without?.(contract) ?? false]),
      files.map(({ path }) => path),
      freeFunctions.map(({ node }) => this.#numbers.get(node)),
      isForDerived ?? false,
      covered === undefined ? null : functions.map((fn) => Number(covered.has(fn))).join(''),
    ]
  }

  #digestOf([file, region]: Read): string | undefined {
    if (region === wholeText) return this.#texts[file]
    if (region !== allBodies) return this.#regions[file]?.[region]
    const known = this.#allBodies.get(file)
    if (known !== undefined) return known
    // What a pragma means is evaluated for the versions of the file.
    const digest = this.#memory.digest(JSON.stringify(this.#regions[file]?.slice(0, -1)))
    this.#allBodies.set(file, digest)
    return digest
  }

  /** null: something is at a place that cannot be found again. */
  #encode({ raw, followed, reached, concerns, weight }: PartResult, read: ReadonlySet<object>): Entry | null {
    const reads = this.#readsOf(read)
    const known = new Set(reads.map(([file, region]) => `${file} ${region}`))
    const placed = new Set<number>()
    const toPlace = (span: Span): Place => {
      const place = this.#placeOf(span, known)
      if (place[0] !== -1) placed.add(place[0])
      return place
    }
    try {
      const kept = {
        reads: reads.map((read) => [...read, this.#digestOf(read)!] as const),
        raw: raw.map(({ detector, hit }) => {
          const { at, trace, cause, ...rest } = hit
          const causes = cause === undefined ? undefined : 'start' in cause ? [cause] : cause
          const steps = trace?.map(({ at: _, ...step }) => step)
          const spans = [at, ...(trace ?? []).map((step) => step.at), ...(causes ?? [])]
          return {
            detector: detector.id,
            hit: { ...rest, trace: steps, hasCause: causes !== undefined },
            places: spans.map(toPlace),
          }
        }),
        cuts: followed.cuts.map((cut) => ({ message: cut.message, at: toPlace(cut) })),
        covered: this.#readsOf(followed.covered),
        reached: this.#readsOf(reached),
        concerns: concerns.map(({ practice, subject: { at, ...subject } }) => ({
          practice,
          subject,
          at: toPlace(at),
        })),
        weight,
      }
      return { ...kept, texts: [...placed].map((file) => [file, this.#texts[file]!]) }
    } catch (cause) {
      if (cause instanceof NoPlace) return null
      throw cause
    }
  }

  #decode({ texts, raw, cuts, covered, reached, concerns, weight }: Entry): PartResult {
    const same = new Set(texts.flatMap(([file, digest]) => (this.#texts[file] === digest ? [file] : [])))
    return {
      raw: raw.map(({ detector, hit, places }) =>
        this.#findingOf(
          detector,
          hit as KeptHit,
          places.map((place) => this.#spanOf(place, same)),
        ),
      ),
      followed: {
        cuts: cuts.map(({ message, at }): FlowDiagnostic => ({ code: 'budget', message, ...this.#spanOf(at, same) })),
        leftOut: [],
        covered: this.#definitionsOf(covered),
      },
      reached: this.#definitionsOf(reached),
      concerns: concerns.map(({ practice, subject, at }) => ({
        practice,
        subject: { ...(subject as Concern['subject']), at: this.#spanOf(at, same) },
      })),
      weight,
    }
  }

  #findingOf(id: string, { trace, hasCause, ...rest }: KeptHit, places: readonly Span[]): RawFinding {
    const [at, ...spans] = places as [Span, ...Span[]]
    const steps = trace?.map((step, i) => ({ ...step, at: spans[i]! }))
    const cause = hasCause ? { cause: spans.slice(steps?.length ?? 0) } : {}
    const hit: Hit = { ...rest, at, ...cause, ...(steps ? { trace: steps } : {}) }
    return { detector: this.#detectors.get(id)!, hit, start: at.start, end: at.end }
  }

  /** Functions and modifiers of the given files, as numbers. */
  #readsOf(definitions: Iterable<object>): Read[] {
    const reads: Read[] = []
    for (const definition of definitions) {
      const read = this.#numbers.get(definition) ?? this.#numbers.get((definition as { node?: object }).node ?? this)
      if (read !== undefined) reads.push(read)
    }
    return reads
  }

  #definitionsOf(reads: readonly Read[]): object[] {
    return reads.flatMap(([file, region]) => {
      const node = this.#files[file]!.callables[region - 1]!
      const { functionAt, modifierAt } = this.#model
      const found =
        node.kind === 'FunctionDefinition'
          ? functionAt.call(this.#model, node.start)
          : modifierAt.call(this.#model, node.start)
      return found === undefined ? [] : [found]
    })
  }

  #placeOf({ start, end }: Span, known: ReadonlySet<string>): Place {
    const file = this.#model.fileAt(start)
    if (file === undefined || file.isStub) return [-1, start, end]
    const [number] = this.#numbers.get(file)!
    const at = (offset: number, isEnd: boolean): TokenPlace => {
      if (offset === file.base) return [inText, 0]
      const isTextKnown = known.has(`${number} ${wholeText}`)
      const place = this.#files[number]!.placeOf(offset, isEnd)
      if (
        place !== null &&
        (place[0] === 0 || known.has(`${number} ${place[0]}`) || known.has(`${number} ${allBodies}`))
      )
        return place
      if (isTextKnown) return [inText, offset - file.base]
      throw new NoPlace()
    }
    return [number, at(start, false), at(end, true), start - file.base, end - file.base]
  }

  #spanOf(place: Place, same: ReadonlySet<number>): Span {
    if (place[0] === -1) return { start: place[1] as number, end: place[2] as number }
    const [number, start, end, startOffset, endOffset] = place as Exclude<Place, { readonly length: 3 }>
    const places = this.#files[number]!
    const { base } = places.file
    if (same.has(number)) return { start: base + startOffset, end: base + endOffset }
    const at = (point: TokenPlace): number => (point[0] === inText ? base + point[1] : places.offsetOf(point))
    return { start: at(start), end: at(end) }
  }
}

type KeptHit = Omit<Hit, 'at' | 'trace' | 'cause'> & {
  readonly trace?: readonly Omit<TraceStep, 'at'>[]
  readonly hasCause: boolean
}

class NoPlace extends Error {}
