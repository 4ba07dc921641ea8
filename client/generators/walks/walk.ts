/** What each walk is given, and what it reports: the same for every generator. */
export interface Given {
  readonly baseUrl: string
  readonly email: string
  /** The code that was mailed. */
  readonly readCode: () => Promise<string>
  /** Lets the service do what is queued. */
  readonly tick: () => Promise<void>
}

export interface Seen {
  readonly scanned: readonly string[]
  readonly project: readonly string[]
  readonly state: string | undefined
  readonly sarif: string | undefined
  readonly refused: string | undefined
}

export const password = 'a long enough password'
export const vulnerable =
  'pragma solidity 0.8.26;\ncontract Open { function close() external { selfdestruct(payable(msg.sender)); } }\n'
export const other = 'pragma solidity 0.8.26;\nimport "./Open.sol";\ncontract Other is Open {}\n'

export const file = (name: string, text: string): File => new File([text], name)

export function must<T>(value: T | undefined | null, what: string): T {
  if (value === undefined || value === null) throw new Error(`no ${what}`)
  return value
}
