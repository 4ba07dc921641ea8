import { type Flow, type Op, stripCasts } from '../../ir/index.ts'

/** A number is drawn from block values. */
export interface Draw {
  readonly flow: Flow
  /** Where the number is used as chance, and what is used. */
  readonly draw: Op
  readonly value: Op
  /** Used as it is, not cut down to a few outcomes. */
  readonly isWhole: boolean
  /** Where block values enter. */
  readonly source: Op
  /** Where the constructor stored a block value that the draw is salted with: reported there. */
  readonly salt: Op | null
}

export const isBlockhash = (op: Op): boolean =>
  op.kind === 'builtin' && (op.operator === 'blockhash' || op.operator === 'blobhash')

const isEnvironment = (value: Op, names: readonly string[]): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && names.includes(op.operator)
}

export const isClockValue = (value: Op): boolean => isEnvironment(value, ['block.timestamp', 'block.number'])

export const isBlockNumber = (value: Op): boolean => isEnvironment(value, ['block.number'])

export const isStateLoad = (op: Op): boolean => op.kind === 'load' && op.location.space === 'state'
