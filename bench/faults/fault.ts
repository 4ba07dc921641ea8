/** One change of one file that makes it vulnerable. */
export interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

export const operators = [
  'access modifier removed',
  'sender check removed',
  'initializer removed',
  'lock removed',
  'write moved behind call',
  'debit removed',
  'total not updated',
  'once-only mark removed',
  'nonce not counted',
  '+= and -= swapped',
  'settlement removed',
  'slippage check removed',
  'staleness check removed',
  'result not checked',
] as const

export type Operator = (typeof operators)[number]

export interface Fault {
  readonly operator: Operator
  readonly path: string
  readonly contract: string
  readonly function: string
  /** 1-based, of the first edit. */
  readonly line: number
  /** What was there. */
  readonly removed: string
  /** In the order of the text, not overlapping. */
  readonly edits: readonly Edit[]
}

export const applyEdits = (text: string, edits: readonly Edit[]): string => {
  let result = ''
  let from = 0
  for (const { start, end, text: added } of edits) {
    result += text.slice(from, start) + added
    from = end
  }
  return result + text.slice(from)
}
