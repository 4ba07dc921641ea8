import { taintOf } from '../../facts/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import type { Model, Type } from '../../model/index.ts'
import type { Expression } from '../../syntax/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly hash: Op
  /** The operation that lays the arguments side by side. */
  readonly packing: Op
}

const hashes = new Set(['keccak256', 'sha3', 'sha256', 'ripemd160'])
const packers = new Set(['abi.encodePacked', 'bytes.concat', 'string.concat'])
const encoders = new Set(['abi.encodePacked', 'abi.encode', 'bytes.concat'])
const fixedKinds: ReadonlySet<Type['kind']> = new Set(['int', 'bool', 'address', 'contract', 'enum', 'fixedBytes'])

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

/** The packer inside the hash, or the hash itself before 0.5. */
const packingOf = (hash: Op): Op | null => {
  if (hash.args.length !== 1) return hash
  const inner = stripCasts(hash.args[0]!)
  return inner.kind === 'builtin' && packers.has(inner.operator) ? inner : null
}

/** A variable that holds a constant text, or bytes whose number is fixed, takes no part in it. */
const countDynamic = (flow: Flow, packing: Op): number =>
  argumentsOf(packing).filter((argument, i) => {
    const value = packing.args[i]
    return isVariable(flow.model, argument) && (value === undefined || changesLength(flow, value))
  }).length

const changesLength = (flow: Flow, value: Op): boolean => taintOf(flow, value) !== 0 && !hasFixedLength(flow, value)

/** `abi.encodePacked(uint64(a), b)`, `abi.encode(a, b)` of numbers and addresses. */
const hasFixedLength = ({ model }: Flow, value: Op): boolean => {
  const packed = stripCasts(value)
  const parts = packed.kind === 'builtin' && encoders.has(packed.operator) ? argumentsOf(packed) : []
  return parts.length > 0 && parts.every((part) => fixedKinds.has(model.typeOf(part).kind))
}

/** `a` and `b`, if they are two. */
const dynamicNames = ({ model }: Flow, packing: Op): string => {
  const dynamic = argumentsOf(packing).filter((argument) => isVariable(model, argument))
  const names = dynamic.map((argument) => model.fileAt(argument.start)?.excerpt(argument) ?? '')
  const isShort = names.length === 2 && names.every((name) => name !== '' && name.length <= 40)
  return isShort ? `\`${names[0]}\` and \`${names[1]}\`` : 'Several values of dynamic length'
}

export default defineDetector<Candidate>({
  id: 'packed-hash-collision',
  swc: 'SWC-133',
  title: 'Hash collision with abi.encodePacked',
  aliases: {
    slither: ['encode-packed-collision'],
    aderyn: ['abi-encode-packed-hash-collision'],
    scwe: ['SCWE-074'],
    words: ['encodePacked', 'hash collision', 'dynamic types'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    '`abi.encodePacked` concatenates values without their lengths. With two dynamic values, bytes can move from one to the other without changing the hash, so a signature for one input is valid for another.',
  recommendation: 'Use `abi.encode`, or hash each dynamic value on its own first.',
  references: ['https://swcregistry.io/docs/SWC-133'],
  cwe: ['CWE-294'],

  needs: [holding.builtin],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const hash of flow.ops('builtin')) {
        const packing = hashes.has(hash.operator) ? packingOf(hash) : null
        if (packing !== null && countDynamic(flow, packing) > 1) yield { flow, hash, packing }
      }
  },

  finding: ({ flow, hash, packing }) => ({
    at: hash,
    message: `${dynamicNames(flow, packing)} are packed without their lengths in \`${flow.name}()\`, so bytes can move from one to the next: other inputs give the same hash and pass where it is checked, for example as signed.`,
    trace: flow.trace(hash),
  }),
})
