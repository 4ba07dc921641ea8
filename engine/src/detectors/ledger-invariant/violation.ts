import type { Column, NumberMove } from '../../idioms/index.ts'
import type { Flow, Op } from '../../ir/index.ts'
import type { Span } from '../../syntax/index.ts'

/** What breaks a rule, and where. */
export interface Violation {
  /** As auditors call it. */
  readonly rule: string
  readonly flow: Flow
  readonly at: Op
  readonly text: string
  /** Where it is kept. */
  readonly kept: Op | null
  /** The total, where one is involved. */
  readonly total: Column | null
  /** Where the function that is to blame makes the call, if a helper holds the operation. */
  readonly place?: Span
  /** What speaks against it, in a few words. */
  readonly unsure?: string | undefined
}

/** Columns that move with value: a claim rises as value enters and falls as it leaves, a debt the other way. */
export interface Evidence {
  readonly flow: Flow
  readonly move: NumberMove
  readonly isClaim: boolean
  readonly isPayout: boolean
}
