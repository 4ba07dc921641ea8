import type { BinaryOp, Flow } from '../../ir/index.ts'

/** An operation whose result can leave the range of its type, unnoticed. */
export interface Overflow {
  readonly flow: Flow
  readonly op: BinaryOp
  /**
   * open: an outsider has a hand in the operands · always: on every execution · endless: a counter too small for its loop ·
   * narrow: a local too small for what it takes up · unchecked: the caller's own numbers, where someone switched the checks off.
   */
  readonly flaw: 'open' | 'always' | 'endless' | 'narrow' | 'unchecked'
}
