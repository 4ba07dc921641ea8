import type { Confidence, ConfidenceFactors, Severity } from '../detectors/define-detector.ts'

/** Lines and columns are 1-based, columns count UTF-16 units, the end is exclusive. */
export interface Place {
  readonly line: number
  readonly column: number
  readonly endLine: number
  readonly endColumn: number
}

/** One step of the data or control flow that makes a finding a vulnerability. */
export interface TraceEntry extends Place {
  readonly message: string
  /** Set only when the step lies in another file than the finding. */
  readonly file?: string
}

/** The same cause met again; the file is named in a project only. */
export interface FurtherPlace extends Place {
  readonly file?: string
}

export interface Finding extends Place {
  /** null: beyond the registry, an advisory. */
  readonly swc: `SWC-${number}` | null
  readonly detector: string
  /** The detector that it was split from, else the same. */
  readonly family: string
  readonly name: string
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  /** What the confidence was worked out from. */
  readonly factors: ConfidenceFactors
  /** The engine is not sure enough to call it a vulnerability: someone should look. It neither counts nor deducts. */
  readonly kind?: 'review'
  readonly contract: string | null
  readonly function: string | null
  readonly snippet: string
  readonly message: string
  readonly recommendation: string
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  /** Rule, contract, function and the normalized text of the place: survives edits elsewhere. */
  readonly fingerprint: string
  readonly trace: readonly TraceEntry[]
  /** Where else the same cause shows. */
  readonly places?: readonly FurtherPlace[]
}

/** A finding that a comment in the source has dismissed. */
export interface SuppressedFinding extends Finding {
  readonly suppression: {
    /** `external`: by a decision kept outside of the source; absent: by a comment in it. */
    readonly kind?: 'external'
    readonly comment: string
    readonly reason: string | null
    readonly line: number
  }
}
