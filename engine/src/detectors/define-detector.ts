import type { Context, Need } from '../ir/index.ts'
import type { Model, SourceFile } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'
import type { Confidence, ConfidenceFactors } from './confidence.ts'

export type { Confidence, ConfidenceFactors } from './confidence.ts'

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info'

/** What a detector says of a candidate: a place, the reason in words, and the steps that make it a vulnerability. */
export interface Hit {
  readonly at: Span
  readonly message: string
  readonly trace?: readonly TraceStep[]
  /**
   * What is at fault, if several hits of one detector can share it: the surest of them is the finding, the others are its further places.
   * Where it takes two to make the fault, hits that share the first of them belong together, and of those that share it with no other,
   * hits that share the second.
   */
  readonly cause?: Span | readonly Span[]
  /** What speaks for this hit and against it: how sure it is follows from that. */
  readonly factors?: ConfidenceFactors
  /** What was not shown, completing "Needs review because"; it follows the message where the finding is only for review. */
  readonly unproven?: string
  /** Instead of the detector's: a check that rejects nobody is as severe as what it leaves open. Never for the interface's fifteen. */
  readonly severity?: Severity
  /** Where the finding is only for review, also of the interface's fifteen: their severity is fixed for findings that count. */
  readonly reviewSeverity?: Severity
  /** Instead of the detector's, where it finds two defects that are called and fixed differently. */
  readonly title?: string
  readonly recommendation?: string
  /** For rules of a user's own, which know better than any grounds: instead of the rule's. */
  readonly confidence?: Confidence
}

export const causesOf = (cause: Span | readonly Span[]): readonly Span[] => ('start' in cause ? [cause] : cause)

export interface TraceStep {
  readonly at: Span
  readonly message: string
  /** Of a first step: nobody is kept from it. Among equal hits the one that begins so is reported. */
  readonly isOpen?: boolean
  /** Says no where no transaction can start at this step. */
  readonly isEntry?: boolean
  /** Says no where neither an open path nor an asset of users was found. */
  readonly hasEvidence?: boolean
  /** Says no where a check on the path asks for what an outsider cannot bring. */
  readonly hasOpenPath?: boolean
}

/** Names of the vulnerability elsewhere, so that every search finds it by them; `swc` and `cwe` are fields of their own. */
export interface Aliases {
  /** Detector ids of Slither. */
  readonly slither?: readonly string[]
  /** Detector ids of Aderyn. */
  readonly aderyn?: readonly string[]
  /** OWASP Smart Contract Top 10. */
  readonly owasp?: readonly `SC${string}:2025`[]
  /** OWASP Smart Contract Weakness Enumeration. */
  readonly scwe?: readonly `SCWE-${string}`[]
  /** Everyday words: "first depositor", "unchecked transfer". */
  readonly words: readonly string[]
}

/** One named reason to stay silent about a candidate. A fixture line proves it: with the excuse switched off, that line is reported. */
export interface Excuse<Candidate> {
  /** Unique in its detector, kebab-case: fixtures and `explain --why` name it as `<detector>/<name>`. */
  readonly name: string
  /** For the reader, as the end of "Stays silent when …". */
  readonly sentence: string
  holds(candidate: Candidate): boolean
}

export const excuse = <Candidate>(
  name: string,
  sentence: string,
  holds: (candidate: Candidate) => boolean,
): Excuse<Candidate> => ({ name, sentence, holds })

/**
 * Candidates one after another. The runner answers each with whether it was reported: a claim about pairs goes on to the next place then,
 * because one place is reported once.
 */
export type Claims<Candidate> = Iterable<Candidate, void, boolean>

/**
 * A vulnerability: who it is, a claim (`candidates`) and its excuses. The claim is the principle: who can do what to whose assets. What
 * it yields is reported by `finding`, unless one of the excuses holds.
 */
export interface DetectorOf<Candidate> {
  /** = folder = documentation page. */
  readonly id: string
  /** The id of the detector that this one was split from: comments that name it and fingerprints still hold. */
  readonly formerly?: string
  /** null: beyond the registry, reported as an advisory that does not deduct. */
  readonly swc: `SWC-${number}` | null
  readonly title: string
  readonly aliases?: Aliases
  readonly severity: Severity
  /** What the claim is worth when nothing in particular speaks for a finding or against it. */
  readonly confidence: Confidence
  readonly description: string
  readonly recommendation: string
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  /** Ids of detectors, or of one that others were split from, whose finding at an overlapping place makes one of this superfluous: one root cause, one finding. */
  readonly yieldsTo?: readonly string[]
  /**
   * What is missing is one check for the whole function, such as that of the caller: places in one function are one finding, also those
   * of the detectors that were split from the same one. A hit with a `cause` is joined by that instead.
   */
  readonly isPerFunction?: true
  /**
   * What a function must hold for the claim to be true of it: `candidates` sees those functions alone, and contracts that have one; it
   * does not run where there is none. A need is a cheap question, recognized by operations. It never decides a finding: without it the
   * claim yields the same.
   */
  readonly needs?: readonly Need[]
  /**
   * The claim about what functions do: evaluated once per partition of the scan. Contracts that share code are in one partition. One place
   * may be yielded more than once, by several flows: it becomes one finding.
   */
  candidates?(context: Context): Claims<Candidate>
  /** The claim about what is declared and written: evaluated once per scan. */
  candidatesInModel?(model: Model): Claims<Candidate>
  /** The same for a claim that no other file decides: evaluated once per file, and not again while the file says the same. */
  candidatesInFile?(file: SourceFile, model: Model): Claims<Candidate>
  readonly excuses?: readonly Excuse<Candidate>[]
  finding(candidate: Candidate): Hit
}

/** A detector as the runner sees it: what its candidates are is its own affair. */
export type Detector = DetectorOf<unknown>

/** What is left out is noted as left out: the runner reads detectors of one shape alone, a hundred in a row for every file. */
export const defineDetector = <Candidate>(detector: DetectorOf<Candidate>): Detector =>
  Object.freeze({
    id: detector.id,
    formerly: detector.formerly,
    swc: detector.swc,
    title: detector.title,
    aliases: detector.aliases,
    severity: detector.severity,
    confidence: detector.confidence,
    description: detector.description,
    recommendation: detector.recommendation,
    references: detector.references,
    cwe: detector.cwe,
    yieldsTo: detector.yieldsTo,
    isPerFunction: detector.isPerFunction,
    needs: detector.needs,
    candidates: detector.candidates,
    candidatesInModel: detector.candidatesInModel,
    candidatesInFile: detector.candidatesInFile,
    excuses: detector.excuses,
    finding: detector.finding,
  } as Detector)
