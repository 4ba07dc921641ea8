import { dependsOn, guardsAt, isProtected, Source, taintOf } from '../../facts/index.ts'
import { type ContractFlow, type Flow, type Location, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import type { StructModel, Type, VariableModel } from '../../model/index.ts'
import { defineDetector, type Hit, noHits } from '../define-detector.ts'

const hashes = new Set(['keccak256', 'sha3', 'sha256', 'ripemd160'])
const secretTypes = new Set(['int', 'fixedBytes', 'string', 'bytes'])

/** The last field on the way to a place: `number` in `moves[i].number`; empty for none. */
const fieldOf = (location: Location): string => {
  for (let at: Location | null = location; at !== null; at = at.parent) if (at.part === 'field') return at.name
  return ''
}

const structOf = (type: Type): StructModel | null => {
  let inner = type
  while (inner.kind === 'array' || inner.kind === 'mapping') inner = inner.kind === 'array' ? inner.base : inner.value
  return inner.kind === 'struct' ? inner.struct : null
}

/** A value as it was handed in: not hashed, not computed. */
const isHandedIn = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'param' && secretTypes.has(flow.typeOf(op)?.kind ?? '')
}

const mayHandIn = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'param') return isHandedIn(flow, op)
  return op.kind === 'make' && op.args.some((arg) => isHandedIn(flow, arg))
}

/** The store puts what the caller handed in into one of the fields that decide. */
const storesSecret = (flow: Flow, store: Op, variable: VariableModel, fields: ReadonlySet<string>): boolean => {
  const value = stripCasts(store.args[0]!)
  const field = fieldOf(store.location!)
  if (field !== '' || value.kind !== 'make') return fields.has(field) && isHandedIn(flow, value)
  const struct = structOf(variable.type)
  return value.args.some((arg, i) => fields.has(struct?.fields[i]?.name ?? '') && isHandedIn(flow, arg))
}

/** Shown beforehand only as a hash: the commitment was checked before this value was stored. */
const isRevealed = (flow: Flow, store: Op): boolean =>
  guardsAt(flow, store).some(({ condition }) =>
    dependsOn(
      flow,
      condition,
      (op) =>
        op.kind === 'builtin' &&
        hashes.has(op.operator) &&
        op.args.some((arg) => (taintOf(flow, arg) & Source.param) !== 0),
    ),
  )

const isHidden = ({ visibility, role, isConstant }: VariableModel): boolean =>
  role === 'state' && visibility !== 'public' && !isConstant

/** Fields of the variable on which hangs where ether goes, or whether it goes: by arithmetic or a guess of the caller. */
const decidingFields = (whole: ContractFlow, secret: VariableModel): Set<string> => {
  const fields = new Set<string>()
  for (const flow of whole.flows) {
    if (flow.sends().length === 0 || !flow.ops('load').some(({ location }) => location!.variable === secret)) continue
    const isSecret = (op: Op): boolean => {
      if (op.kind !== 'load' || op.location!.variable !== secret || !secretTypes.has(flow.typeOf(op)?.kind ?? ''))
        return false
      found = fieldOf(op.location!)
      return true
    }
    let found = ''
    for (const payment of flow.sends()) {
      if (isProtected(flow, payment)) continue
      const target = payment.call!.target
      const drawn = (op: Op): boolean =>
        op.kind === 'bin' && '+-*/%^'.includes(op.operator) && dependsOn(flow, op, isSecret)
      if (target !== null && dependsOn(flow, target, drawn, { keys: true })) fields.add(found)
      if (guardsAt(flow, payment).some(({ condition }) => isGuess(flow, condition, isSecret))) fields.add(found)
    }
  }
  return fields
}

/** `guess == secret`: what the caller hands in against what is stored. */
const isGuess = (flow: Flow, condition: Op, isSecret: (op: Op) => boolean): boolean => {
  const op = stripCasts(condition)
  if (op.kind !== 'bin' || (op.operator !== '==' && op.operator !== '!=')) return false
  const sides = unhashed(op.args[0]!, op.args[1]!)
  return (
    sides.some(isSecret) && sides.some((side) => side.kind === 'param' && (taintOf(flow, side) & Source.param) !== 0)
  )
}

const isHash = (op: Op): boolean =>
  op.kind === 'builtin' && (hashes.has(op.operator) || op.operator.startsWith('abi.')) && op.args.length === 1

/** Strings are compared by their hashes; a hash on one side only is a commitment, which tells nothing. */
const unhashed = (left: Op, right: Op): [Op, Op] => {
  let sides: [Op, Op] = [stripCasts(left), stripCasts(right)]
  while (sides.every(isHash)) sides = [stripCasts(sides[0].args[0]!), stripCasts(sides[1].args[0]!)]
  return sides
}

const sends = (flow: Flow): boolean => flow.sends().length > 0

const findSecrets = (whole: ContractFlow): readonly Hit[] => {
  // Nothing decides a payment where none is made.
  if (!whole.flows.some(sends)) return noHits
  const hits: Hit[] = []
  let deciding: Map<VariableModel, ReadonlySet<string>> | null = null
  for (const flow of whole.flows)
    for (const store of flow.stateStores()) {
      const variable = store.location!.variable
      if (variable === null || !mayHandIn(flow, store.args[0]!) || !isHidden(variable)) continue
      deciding ??= new Map()
      const fields = deciding.get(variable) ?? decidingFields(whole, variable)
      deciding.set(variable, fields)
      if (fields.size === 0 || !storesSecret(flow, store, variable, fields) || isRevealed(flow, store)) continue
      hits.push({
        at: store,
        message: `\`${variable.name}\` decides a payment and is stored in the clear: everybody can read it from the chain before it is used.`,
        trace: flow.trace(store),
      })
    }
  return oncePerPlace(hits)
}

export default defineDetector({
  id: 'secret-on-chain',
  swc: 'SWC-136',
  title: 'Secret stored in the clear',
  severity: 'medium',
  confidence: 'medium',
  description:
    '`private` keeps other contracts from reading a variable, not people: everything stored or sent to a contract can be read from the chain. A move, number or password that must stay unknown until later is known at once.',
  recommendation:
    'Store a salted hash first and let the value be revealed later (commit and reveal), or keep it off the chain.',
  references: ['https://swcregistry.io/docs/SWC-136'],
  cwe: ['CWE-767'],

  run({ contracts }) {
    const hits: Hit[] = []
    for (const whole of contracts) hits.push(...findSecrets(whole))
    return hits
  },
})
