/** Where a flow recovers the signer of a message, by the builtin or by a known library. */

import type { Flow, Op } from '../ir/index.ts'
import { findDependency } from './dependencies.ts'

export interface Recovery {
  /** Yields the signer. */
  readonly op: Op
  /** The hash that was signed. */
  readonly digest: Op
  /** The signature: one value, or v, r and s. */
  readonly signature: readonly Op[]
}

/** In program order. */
export const recoveriesOf = (flow: Flow): readonly Recovery[] => flow.answer(findRecoveries)

/** It asks who signed something. */
export const recoversSigner = (flow: Flow): boolean => recoveriesOf(flow).length > 0

const none: readonly Recovery[] = []

const findRecoveries = (flow: Flow): readonly Recovery[] => {
  let found: Recovery[] | null = null
  for (const op of flow.ops('builtin')) {
    if (op.operator !== 'ecrecover' || op.args.length < 2) continue
    found ??= []
    found.push({ op, digest: op.args[0]!, signature: op.args.slice(1) })
  }
  for (const op of flow.ops('call')) {
    const { definition, inlined } = op.call
    if (inlined || definition === null || definition.effect !== 'signature') continue
    // `recover(hash, signature)`, `isValidSignatureNow(signer, hash, signature)`.
    const hash = definition.params.findIndex(({ type }) => type.kind === 'fixedBytes' && type.size === 32)
    const digest = op.args[hash]
    if (digest === undefined || op.args.length <= hash + 1) continue
    found ??= []
    found.push({ op, digest, signature: op.args.slice(hash + 1) })
  }
  return found ?? none
}

/** Parameters that a value depends on. */
export const parametersOf = (flow: Flow, values: readonly Op[]): Set<Op> => {
  const found = new Set<Op>()
  for (const value of values)
    findDependency(flow, value, (op) => {
      if (op.kind === 'param') found.add(op)
      return false
    })
  return found
}
