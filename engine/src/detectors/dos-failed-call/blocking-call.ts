import type { CallOp, Flow, Location } from '../../ir/index.ts'

/** A call whose failure is the failure of others. */
export interface BlockingCall {
  readonly flow: Flow
  readonly call: CallOp
  /** Where the one who is called is on record; null where a token is given whom to pay. */
  readonly place: Location | null
  /** The stored list that a loop runs through. */
  readonly list?: Location
  /**
   * Whom the one who is called keeps waiting. list, callees: all of the loop, who are paid or only called · line: those behind it ·
   * seat: who wants to take its place · draw: those who wait for the next draw · tokens: all of the loop, when a token refuses one · transfers: everybody who transfers.
   */
  readonly keeps: 'list' | 'callees' | 'line' | 'seat' | 'draw' | 'tokens' | 'transfers'
}
