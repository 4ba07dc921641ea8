import { Source, taintOf } from '../../facts/index.ts'
import { type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { Model, Type } from '../../model/index.ts'
import type { Expression } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const hashes = new Set(['keccak256', 'sha3', 'sha256', 'ripemd160'])
const packers = new Set(['abi.encodePacked', 'bytes.concat', 'string.concat'])

const isDynamic = (type: Type): boolean =>
  type.kind === 'bytes' || type.kind === 'string' || (type.kind === 'array' && type.length === null)

/** What is being named, through `bytes(x)`. */
const named = (model: Model, expression: Expression): Expression => {
  let inner = expression
  while (inner.kind === 'Call' && inner.args.values.length === 1 && model.callTarget(inner).kind === 'type-conversion')
    inner = inner.args.values[0]!
  return inner
}

const fixedMembers = new Set(['creationCode', 'runtimeCode'])

/** A variable of changing length; results of functions (`toString(id)`) have a form of their own. */
const isVariable = (model: Model, expression: Expression): boolean => {
  const inner = named(model, expression)
  if (inner.kind !== 'Identifier' && inner.kind !== 'Member' && inner.kind !== 'Index' && inner.kind !== 'Slice')
    return false
  if (inner.kind === 'Member' && fixedMembers.has(inner.name.name)) return false
  return isDynamic(model.typeOf(inner)) && model.constantValue(inner) === undefined
}

const argumentsOf = (op: Op): readonly Expression[] => {
  const node = op.node as Expression | null
  return node?.kind === 'Call' ? node.args.values : []
}

/** The operation that lays the arguments side by side: the packer inside the hash, or the hash itself before 0.5. */
const packingOf = (hash: Op): Op | null => {
  if (hash.args.length !== 1) return hash
  const inner = stripCasts(hash.args[0]!)
  return inner.kind === 'builtin' && packers.has(inner.operator) ? inner : null
}

const callerChooses = (flow: Flow, op: Op): boolean =>
  op.args.some((arg) => (taintOf(flow, arg) & (Source.param | Source.data | Source.call | Source.outsiderState)) !== 0)

const checkHash = (flow: Flow, op: Op, hits: Hit[]): void => {
  if (!hashes.has(op.operator)) return
  const packing = packingOf(op)
  if (packing === null || argumentsOf(packing).length < 2 || !callerChooses(flow, packing)) return
  // A variable that holds a constant text takes no part in it.
  const dynamic = argumentsOf(packing).filter(
    (argument, i) =>
      isVariable(flow.model, argument) && (packing.args[i] === undefined || taintOf(flow, packing.args[i]) !== 0),
  )
  if (dynamic.length < 2) return
  hits.push({
    at: op,
    message: 'Several values of changing length are packed without their lengths: different inputs give the same hash.',
    trace: flow.trace(op),
  })
}

export default defineDetector({
  id: 'packed-hash-collision',
  swc: 'SWC-133',
  title: 'Hash of packed values of changing length',
  severity: 'low',
  confidence: 'high',
  description:
    '`abi.encodePacked` lays values side by side without their lengths. With two of changing length, bytes can move from one to the other and the hash stays the same: a signature for one input holds for another.',
  recommendation: 'Use `abi.encode`, or hash each value of changing length by itself first.',
  references: ['https://swcregistry.io/docs/SWC-133'],
  cwe: ['CWE-294'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.functions) for (const op of flow.ops('builtin')) checkHash(flow, op, hits)
    return oncePerPlace(hits)
  },
})
