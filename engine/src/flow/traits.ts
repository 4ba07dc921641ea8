/**
 * What a scan holds at all, as bits of one number. A detector names those without which it has nothing to find, and is
 * then not even started: most look for something that few files have, and in a small file fifty times "nothing here"
 * costs more than the findings.
 */
import type { Model } from '../model/index.ts'
import { Word } from '../syntax/index.ts'
import type { Context } from './context.ts'
import { callBit, kindBit } from './op-index.ts'
import { tokenCallNames } from './token-calls.ts'
import { tradeNames } from './trades.ts'

export const Trait = {
  /** Every scan has this one. */
  code: 1 << 0,
  delegateCall: 1 << 1,
  lowLevelCall: 1 << 2,
  externalCall: 1 << 3,
  /** `deadline` stands in the code. */
  deadline: 1 << 4,
  payment: 1 << 5,
  loop: 1 << 6,
  /** Reads `msg.value`. */
  value: 1 << 7,
  /** Reads `tx.origin`. */
  origin: 1 << 8,
  /** Hashes something. */
  hash: 1 << 9,
  ecrecover: 1 << 10,
  /** Recovers a signer, by `ecrecover` or a known library. */
  recovery: 1 << 11,
  selfdestruct: 1 << 12,
  /** The balance of an account. */
  balance: 1 << 13,
  /** Calls `balanceOf`. */
  tokenBalance: 1 << 14,
  /** Calls `_mint`. */
  mint: 1 << 15,
  /** Asks a price feed. */
  price: 1 << 16,
  deletion: 1 << 17,
  assembly: 1 << 18,
  /** A contract that inherits. */
  inheritance: 1 << 19,
  /** Admits compilers before 0.5. */
  oldCompiler: 1 << 20,
  /** Words that later compilers replaced. */
  oldWords: 1 << 21,
  /** May make selectors of texts. */
  signatureText: 1 << 22,
  /** `gas`, `send` or `transfer` stands in the code. */
  gasLimit: 1 << 23,
  /** A call of any kind. */
  call: 1 << 24,
  /** Writes state or memory. */
  store: 1 << 25,
  /** Calculates or compares. */
  binary: 1 << 26,
  cast: 1 << 27,
  /** Reads the time or the number of the block. */
  time: 1 << 28,
  /** Calls a token in one of the standard ways. */
  tokenCall: 1 << 29,
  /** Trades on one of the well-known exchanges, or says how little it accepts in return. */
  trade: 1 << 30,
  /** Reads what the producer of the block decides, or the hash of a block. */
  chance: 1 << 31,
} as const

const oldWords = Word.suicide | Word.sha3 | Word.callcode | Word.blockhash | Word.gas | Word.now
const signatureWords = Word.encodeWithSignature | Word.keccak256 | Word.sha3
const tradeWords = Word.amountOutMinimum | Word.amount0Min | Word.amount1Min
const gasWords = Word.gas | Word.send | Word.transfer

/** Everything, for a scan of which nothing can be told. */
export const allTraits = -1

/** What the functions of a portion do. */
export const traitsOfBehaviour = (context: Context): number =>
  traitsOfKinds(context) | traitsOfCalls(context) | traitsOfValues(context)

/** What the written text tells, behaviour aside. */
export const traitsOfFiles = (model: Model): number => {
  let traits: number = Trait.code
  for (const { unit, versions } of model.files) {
    const { words } = unit
    if ((words & Word.deadline) !== 0) traits |= Trait.deadline
    if ((words & Word.delete) !== 0) traits |= Trait.deletion
    if ((words & oldWords) !== 0) traits |= Trait.oldWords
    if ((words & signatureWords) !== 0) traits |= Trait.signatureText
    if ((words & tradeWords) !== 0) traits |= Trait.trade
    if ((words & gasWords) !== 0) traits |= Trait.gasLimit
    if ((words & Word.assembly) !== 0) traits |= Trait.assembly
    if (!versions.isAtLeast(5)) traits |= Trait.oldCompiler
  }
  for (const { node } of model.contracts) if (node.bases.length > 0) traits |= Trait.inheritance
  return traits
}

const callKind = kindBit('call')
const storeKind = kindBit('store')
const binaryKind = kindBit('bin')
const castKind = kindBit('cast')
const delegateCalls = callBit('delegate') | callBit('callcode')
const lowLevelCalls = callBit('lowlevel')
const externalCalls = callBit('external')
const libraryCalls = callBit('library')

const traitsOfKinds = ({ kindBits, callBits }: Context): number => {
  let traits = 0
  if ((kindBits & callKind) !== 0) traits |= Trait.call
  if ((kindBits & storeKind) !== 0) traits |= Trait.store
  if ((kindBits & binaryKind) !== 0) traits |= Trait.binary
  if ((kindBits & castKind) !== 0) traits |= Trait.cast
  if ((callBits & delegateCalls) !== 0) traits |= Trait.delegateCall
  if ((callBits & lowLevelCalls) !== 0) traits |= Trait.lowLevelCall
  if ((callBits & externalCalls) !== 0) traits |= Trait.externalCall
  return traits
}

/** By the names that well-known interfaces give to their functions. */
const traitsOfNames: ReadonlyMap<string, number> = (() => {
  const traits = new Map<string, number>()
  const add = (names: readonly string[], trait: number): void => {
    for (const name of names) traits.set(name, (traits.get(name) ?? 0) | trait)
  }
  add(tokenCallNames, Trait.tokenCall)
  add(tradeNames, Trait.trade)
  add(['balanceOf'], Trait.tokenBalance)
  add(['_mint'], Trait.mint)
  add(['latestAnswer', 'latestRoundData'], Trait.price)
  return traits
})()

/** What is told by names alone must be a call of somebody else. */
const traitsOfCalls = ({ functions, kindBits, callBits }: Context): number => {
  if ((kindBits & callKind) === 0) return 0
  let traits = 0
  for (let f = 0; f < functions.length; f++) {
    const calls = functions[f]!.ops('call')
    for (let i = 0; i < calls.length; i++) traits |= traitsOfNames.get(calls[i]!.call!.name) ?? 0
  }
  if ((callBits & externalCalls) === 0) traits &= ~Trait.trade
  return (callBits & (externalCalls | libraryCalls)) !== 0 ? traits : traits & ~Trait.tokenCall
}

const traitOfBuiltin = (name: string): number => {
  switch (name) {
    case 'ecrecover':
      return Trait.ecrecover
    case 'selfdestruct':
      return Trait.selfdestruct
    case 'balance':
      return Trait.balance
    case 'blockhash':
    case 'blobhash':
      return Trait.chance
    case 'keccak256':
    case 'sha3':
    case 'sha256':
    case 'ripemd160':
      return Trait.hash
    default:
      return 0
  }
}

const traitOfEnvironment = (name: string): number => {
  switch (name) {
    case 'msg.value':
      return Trait.value
    case 'tx.origin':
      return Trait.origin
    case 'block.timestamp':
    case 'block.number':
      return Trait.time
    case 'block.difficulty':
    case 'block.prevrandao':
    case 'block.coinbase':
    case 'block.gaslimit':
      return Trait.chance
    default:
      return 0
  }
}

const traitsOfValues = ({ functions }: Context): number => {
  let traits = 0
  for (let f = 0; f < functions.length; f++) {
    const flow = functions[f]!
    const { environments, loops } = flow.ir
    for (let i = 0; i < environments.length; i++) traits |= traitOfEnvironment(environments[i]!)
    const builtins = flow.ops('builtin')
    for (let i = 0; i < builtins.length; i++) traits |= traitOfBuiltin(builtins[i]!.operator)
    if (loops.length > 0) traits |= Trait.loop
    if (flow.sends().length > 0) traits |= Trait.payment
    if (flow.recoveries().length > 0) traits |= Trait.recovery
  }
  return traits
}
