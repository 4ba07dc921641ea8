/**
 * What a scan holds at all, as bits of one number. A detector names those without which it has nothing to find, and is
 * then not even started: most look for something that few files have, and in a small file fifty times "nothing here"
 * costs more than the findings.
 */
import type { Model } from '../model/index.ts'
import { Word } from '../syntax/index.ts'
import type { Context } from './context.ts'

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
} as const

const oldWords = Word.suicide | Word.sha3 | Word.callcode | Word.blockhash | Word.gas | Word.now
const signatureWords = Word.encodeWithSignature | Word.keccak256 | Word.sha3
const gasWords = Word.gas | Word.send | Word.transfer

/** Everything, for a scan of which nothing can be told. */
export const allTraits = -1

/** Of a portion, given those of the files. */
export const traitsOf = (context: Context, ofFiles: number = traitsOfFiles(context.model)): number =>
  ofFiles | traitsOfCalls(context) | traitsOfValues(context)

/** What the written text tells, behaviour aside. */
export const traitsOfFiles = (model: Model): number => {
  let traits: number = Trait.code
  for (const { unit, versions } of model.files) {
    const { words } = unit
    if ((words & Word.deadline) !== 0) traits |= Trait.deadline
    if ((words & Word.delete) !== 0) traits |= Trait.deletion
    if ((words & oldWords) !== 0) traits |= Trait.oldWords
    if ((words & signatureWords) !== 0) traits |= Trait.signatureText
    if ((words & gasWords) !== 0) traits |= Trait.gasLimit
    if ((words & Word.assembly) !== 0) traits |= Trait.assembly
    if (!versions.isAtLeast(5)) traits |= Trait.oldCompiler
  }
  for (const { node } of model.contracts) if (node.bases.length > 0) traits |= Trait.inheritance
  return traits
}

const traitsOfCalls = (context: Context): number => {
  if (!context.has('call')) return 0
  let traits = 0
  if (context.hasCall('delegate')) traits |= Trait.delegateCall
  if (context.hasCall('lowlevel')) traits |= Trait.lowLevelCall
  if (context.hasCall('external')) traits |= Trait.externalCall
  for (const flow of context.functions) for (const { call } of flow.ops('call')) traits |= traitOfName(call!.name)
  return traits
}

const traitOfName = (name: string): number => {
  switch (name) {
    case 'balanceOf':
      return Trait.tokenBalance
    case '_mint':
      return Trait.mint
    case 'latestAnswer':
    case 'latestRoundData':
      return Trait.price
    default:
      return 0
  }
}

const traitsOfValues = (context: Context): number => {
  let traits = 0
  if (context.usesEnvironment('msg.value')) traits |= Trait.value
  if (context.usesEnvironment('tx.origin')) traits |= Trait.origin
  if (context.usesBuiltin('ecrecover')) traits |= Trait.ecrecover
  if (context.usesBuiltin('selfdestruct')) traits |= Trait.selfdestruct
  if (context.usesBuiltin('balance')) traits |= Trait.balance
  if (hashes.some((name) => context.usesBuiltin(name))) traits |= Trait.hash
  for (const flow of context.functions) {
    if (flow.ir.loops.length > 0) traits |= Trait.loop
    if (flow.sends().length > 0) traits |= Trait.payment
    if (flow.recoveries().length > 0) traits |= Trait.recovery
  }
  return traits
}

const hashes = ['keccak256', 'sha3', 'sha256', 'ripemd160']
