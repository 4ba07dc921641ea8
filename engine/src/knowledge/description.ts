/**
 * What is known of contracts outside the scan: protocols that others integrate, and token standards. Data alone, in the words of
 * their interfaces. A function is written as its declaration, and its arguments and results are referred to by their names there;
 * of a struct that is passed or returned alone the fields are named as `params.amountIn`. A new protocol is one file and one line in `index.ts`.
 */
export interface Description {
  /** As auditors call it. */
  readonly name: string
  readonly reference: string
  /** Structs in the declarations below, by name: their fields. */
  readonly structs?: Readonly<Record<string, string>>
  readonly readings?: readonly Reading[]
  readonly trades?: readonly TradeCall[]
  readonly callbacks?: readonly Callback[]
  /** Calls after which an account that an argument names runs code of its own. */
  readonly notifications?: readonly Notification[]
  /** Calls that move or approve a token. */
  readonly tokenCalls?: readonly TokenFunction[]
  /** Calls that allow tokens to be taken by a signature of their owner. */
  readonly permits?: readonly Permit[]
  /** Calls that fail while the protocol holds its lock, so that what is read afterwards is up to date. */
  readonly lockProbes?: readonly string[]
  /** Functions that return zero, or the number of an error after which nothing was done. */
  readonly errorCodes?: readonly string[]
}

/** A number that others count with. */
export interface Reading {
  readonly declaration: string
  /** The results that speak of value; the others are times, positions in a list and settings. */
  readonly values: readonly string[]
  /**
   * trade: anyone who trades, deposits or borrows first moves it within one transaction.
   * report: an outside account updates it, and it can be outdated.
   * exit: it is wrong while the pool pays out, when the recipient of ether runs.
   */
  readonly movedBy: 'trade' | 'report' | 'exit'
  /** It is a price already: how much one would get, or would have to give. */
  readonly isQuote?: true
  /** The result that says when it was reported. */
  readonly reportedAt?: string
}

/** A trade, or a deposit or withdrawal of liquidity. */
export interface TradeCall {
  readonly declaration: string
  /** The least acceptable amounts. */
  readonly least?: readonly string[]
  /** The price at which it stops; at 0 it goes on. */
  readonly worstPrice?: string
  /** What is given; the ether sent along counts too. */
  readonly given?: readonly string[]
  /** The account that receives; the caller where there is none. */
  readonly receiver?: string
  /** The time after which the trade is refused. */
  readonly deadline?: string
}

/** A function that the outside contract calls: that nobody else calls it is for its author to check. */
export interface Callback {
  readonly declaration: string
  /** Who calls it, in a few words. */
  readonly caller: string
  /** The argument that says who requested the call, where anyone can ask for it. */
  readonly initiator?: string
}

export interface Notification {
  readonly declaration: string
  readonly receiver: string
}

export interface TokenFunction {
  readonly declaration: string
  readonly does: 'transfer' | 'transferFrom' | 'approve'
  /** Reverts on failure, whatever the token returns. */
  readonly isSafe?: true
  /** The argument that names the token, where the call is not made to the token itself. */
  readonly token?: string
}

export interface Permit {
  readonly declaration: string
  /** Who signed it, and whose tokens it is about. */
  readonly owner: string
}

export interface Parameter {
  readonly type: string
  readonly name: string
}

/** A declaration, read. */
export interface Declared {
  readonly name: string
  readonly params: readonly Parameter[]
  readonly results: readonly Parameter[]
}

const parametersIn = (list: string): Parameter[] =>
  list
    .split(',')
    .map((part) => part.trim().split(/\s+/))
    .filter(([type]) => type !== '')
    .map(([type = '', name = '']) => ({ type, name }))

/** `slot0() returns (uint160 sqrtPriceX96, int24 tick)` */
export const readDeclaration = (text: string): Declared => {
  const parts = /^(\w+)\(([^()]*)\)(?: returns \(([^()]*)\))?$/.exec(text)
  if (parts === null) throw new Error(`not a declaration: ${text}`)
  const [, name = '', params = '', results = ''] = parts
  return { name, params: parametersIn(params), results: parametersIn(results) }
}

/** `transfer(address,uint256)`: structs are written out. */
export const signatureOf = ({ name, params }: Declared, structs: Description['structs'] = {}): string => {
  const spell = (type: string): string => {
    const [base = '', suffix = ''] = type.split(/(?=\[)/)
    const fields = structs[base]
    return fields === undefined ? type : `(${spellAll(parametersIn(fields))})${suffix}`
  }
  const spellAll = (list: readonly Parameter[]): string => list.map(({ type }) => spell(type)).join(',')
  return `${name}(${spellAll(params)})`
}
