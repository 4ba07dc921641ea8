import type { Context } from '../facts/index.ts'
import type { Model } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'

export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'info'
export type Confidence = 'high' | 'medium' | 'low'

/** What a detector yields: a place, the reason in words, and the steps that make it a weakness. */
export interface Hit {
  readonly at: Span
  readonly message: string
  readonly trace?: readonly TraceStep[]
  /** Lower than the detector's own where this hit rests on a guess. */
  readonly confidence?: Confidence
}

export interface TraceStep {
  readonly at: Span
  readonly message: string
}

export interface Detector {
  /** = folder = documentation page. */
  readonly id: string
  /** null: beyond the registry, reported as an advisory that does not deduct. */
  readonly swc: `SWC-${number}` | null
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly description: string
  readonly recommendation: string
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  /** About what stands outside of bodies: asked once per scan, when all bodies have been seen. */
  read?(model: Model): readonly Hit[]
  /**
   * About what functions do, and what is written in them: asked once per portion of the scan. Contracts that share code are
   * in one portion; what is written is in the `files` of the portion's `part`.
   */
  run?(context: Context): readonly Hit[]
}

/** All of one shape, whatever they leave out: every scan asks them one after the other, and reads the same fields of each. */
export const defineDetector = (given: Detector): Detector => {
  const { id, swc, title, severity, confidence, description, recommendation, references, cwe, read, run } = given
  const detector = {
    id,
    swc,
    title,
    severity,
    confidence,
    description,
    recommendation,
    references,
    cwe,
    read,
    run,
  }
  return Object.freeze(detector) as Detector
}

/** What a detector answers that found nothing; shared, because most find nothing in most files. */
export const noHits: readonly Hit[] = Object.freeze([])
