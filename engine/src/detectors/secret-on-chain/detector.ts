import {
  dependsOn,
  type Fact,
  fromFactsAt,
  guardsAt,
  isProtected,
  principalAt,
  Source,
  taintOf,
} from '../../facts/index.ts'
import { isHash } from '../../idioms/index.ts'
import {
  type CallOp,
  type ContractFlow,
  type Flow,
  holding,
  type LoadOp,
  type Location,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { StructModel, Type, VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Secret {
  readonly flow: Flow
  readonly store: StoreOp
  readonly variable: VariableModel
  /** What a caller gets done who knows it, where nothing else is required of them. */
  readonly unlocked?: Op
}

const secretTypes = new Set(['int', 'fixedBytes', 'string', 'bytes'])

const isOfSecretType = (flow: Flow, op: Op): boolean => secretTypes.has(flow.typeOf(op)?.kind ?? '')

/** The last field on the path to a place: `number` in `moves[i].number`; empty for none. */
const fieldOf = (location: Location): string => {
  for (let at: Location | null = location; at !== null; at = at.parent) if (at.part === 'field') return at.name
  return ''
}

const structOf = (type: Type): StructModel | null => {
  let inner = type
  while (inner.kind === 'array' || inner.kind === 'mapping') inner = inner.kind === 'array' ? inner.base : inner.value
  return inner.kind === 'struct' ? inner.struct : null
}

/** Fields of a variable that a store fills with what the caller handed in: not hashed, not computed. */
const fieldsGivenByCaller = (flow: Flow, { location, args }: StoreOp): string[] => {
  const isGivenByCaller = (value: Op): boolean => {
    const op = stripCasts(value)
    return op.kind === 'param' && isOfSecretType(flow, op)
  }
  const value = stripCasts(args[0])
  if (value.kind !== 'make') return isGivenByCaller(value) ? [fieldOf(location)] : []
  const struct = structOf(location.variable!.type)
  return value.args.flatMap((arg, i) => (isGivenByCaller(arg) ? [struct?.fields[i]?.name ?? ''] : []))
}

/** Fields of the variable on which hangs where ether goes, or whether it goes: by arithmetic or a guess of the caller. */
const decidingFields = ({ flows }: ContractFlow): ReadonlyMap<VariableModel, ReadonlySet<string>> => {
  const deciding = new Map<VariableModel, Set<string>>()
  for (const flow of flows)
    for (const payment of flow.sends())
      for (const load of isProtected(flow, payment) ? [] : flow.answer(secretLoads)) {
        if (!decides(flow, load, payment)) continue
        const fields = deciding.get(load.location.variable!) ?? new Set()
        deciding.set(load.location.variable!, fields)
        fields.add(fieldOf(load.location))
      }
  return deciding
}

/** Fields that a view returns: like a public variable, they are meant to be seen. */
const shownFields = ({ entryPoints }: ContractFlow): ReadonlyMap<VariableModel, ReadonlySet<string>> => {
  const shown = new Map<VariableModel, Set<string>>()
  for (const flow of entryPoints.filter(({ fn }) => fn?.mutability === 'view'))
    for (const load of flow.stateLoads()) {
      const { variable } = load.location
      if (variable === null || !flow.ops('return').some((end) => dependsOn(flow, end, (op) => op === load))) continue
      shown.set(variable, (shown.get(variable) ?? new Set()).add(fieldOf(load.location)))
    }
  return shown
}

const secretLoads = (flow: Flow): readonly LoadOp[] =>
  flow.ops('load').filter((load) => load.location.variable !== null && isOfSecretType(flow, load))

const none: ReadonlySet<string> = new Set()

const decides = (flow: Flow, load: LoadOp, payment: CallOp): boolean => {
  // `players[sum % 2]`: one of a few is drawn.
  const isDrawn = (op: Op): boolean =>
    op.kind === 'bin' && '%&'.includes(op.operator) && dependsOn(flow, op, (part) => part === load)
  const { target } = payment.call
  return (
    (target !== null && dependsOn(flow, target, isDrawn, { keys: true })) ||
    guardsAt(flow, payment).some(({ condition, polarity }) => isGuess(condition, polarity, load))
  )
}

/** `guess == secret`: what the caller hands in against what is stored. */
const isGuess = (condition: Op, polarity: boolean, load: LoadOp): boolean => {
  const op = stripCasts(condition)
  if (op.kind !== 'bin' || op.operator !== (polarity ? '==' : '!=')) return false
  const sides = unhashed(op.args[0], op.args[1])
  return sides.includes(load) && sides.some(({ kind }) => kind === 'param')
}

/** Strings are compared by their hashes; a hash on one side only is a commitment, which tells nothing. */
const unhashed = (left: Op, right: Op): [Op, Op] => {
  let sides: [Op, Op] = [stripCasts(left), stripCasts(right)]
  while (sides.every(isHashOfOne)) sides = [stripCasts(sides[0].args[0]!), stripCasts(sides[1].args[0]!)]
  return sides
}

const isHashOfOne = (op: Op): boolean =>
  op.kind === 'builtin' && (isHash(op) || op.operator.startsWith('abi.')) && op.args.length === 1

/** Nothing but the secret stands between any caller and this effect: `require(password == stored)`, and no check of the sender. */
function* passwords(flow: Flow): Iterable<Secret> {
  if (flow.sends().length > 0 || flow.answer(passwordLoads).length === 0) return
  for (const op of [...flow.stateStores(), ...flow.externalCalls()]) {
    if (op.kind === 'call' && op.call.isStatic) continue
    const [secret] = fromFactsAt(flow, op, passwordsOf)
    if (secret !== undefined && principalAt(flow, op) === 'anyone') yield { ...secret, unlocked: op }
  }
}

const passwordsOf = (flow: Flow, { condition, polarity }: Fact): readonly Secret[] => {
  const load = flow.answer(passwordLoads).find((each) => isGuess(condition, polarity, each))
  return load === undefined ? [] : [flow.contractFlow.answer(fixedSecrets).get(load.location.variable!)!]
}

const passwordLoads = (flow: Flow): readonly LoadOp[] => {
  const secrets = flow.contractFlow.answer(fixedSecrets)
  return secrets.size === 0 ? [] : flow.answer(secretLoads).filter(({ location }) => secrets.has(location.variable!))
}

/** Hidden variables that only ever hold what someone handed in, or what the constructor put there. */
const fixedSecrets = ({ flows }: ContractFlow): ReadonlyMap<VariableModel, Secret> => {
  const found = new Map<VariableModel, Secret | null>()
  for (const flow of flows)
    for (const store of flow.stateStores()) {
      const { variable } = store.location
      if (variable === null || variable.type.kind === 'mapping' || !isHidden(variable)) continue
      const isSecret = flow.isConstructor || (fieldsGivenByCaller(flow, store).length > 0 && isProtected(flow, store))
      if (!isSecret) found.set(variable, null)
      else if (!found.has(variable)) found.set(variable, { flow, store, variable })
    }
  return new Map([...found].flatMap(([variable, secret]) => (secret === null ? [] : [[variable, secret]])))
}

/** A getter shows a number because it is meant to be seen; who asks for a text asks for a password all the same. */
const isHidden = ({ visibility, type }: VariableModel): boolean => visibility !== 'public' || type.kind === 'string'

/** What is handed in was shown beforehand as a hash: the commitment is checked before it is stored. */
const isRevealed = ({ flow, store }: Secret): boolean =>
  guardsAt(flow, store).some(({ condition }) =>
    dependsOn(flow, condition, (op) => isHash(op) && op.args.some((arg) => (taintOf(flow, arg) & Source.param) !== 0)),
  )

export default defineDetector<Secret>({
  id: 'secret-on-chain',
  swc: 'SWC-136',
  title: 'Unencrypted secret on chain',
  aliases: { scwe: ['SCWE-037'], words: ['private variable', 'unencrypted data', 'password on chain'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    '`private` only hides a variable from other contracts; everything stored or sent on chain is public. A move, number or password that must stay secret can be read at once, and a function that asks for nothing else is open to anyone.',
  recommendation: 'Store a salted hash first and reveal later (commit-reveal), or keep the secret off chain.',
  references: ['https://swcregistry.io/docs/SWC-136'],
  cwe: ['CWE-767'],

  needs: [holding.stateWrite],
  *candidates({ contracts }) {
    for (const contractFlow of contracts) {
      for (const flow of contractFlow.entryPoints) yield* passwords(flow)
      if (!contractFlow.flows.some((flow) => flow.sends().length > 0)) continue
      for (const flow of contractFlow.flows)
        for (const store of flow.stateStores()) {
          const { variable } = store.location
          // What has a getter is meant to be seen.
          if (variable === null || variable.visibility === 'public') continue
          const given = fieldsGivenByCaller(flow, store)
          const deciding = given.length === 0 ? none : (contractFlow.answer(decidingFields).get(variable) ?? none)
          const hidden = given.filter((field) => deciding.has(field))
          const shown = hidden.length === 0 ? none : (contractFlow.answer(shownFields).get(variable) ?? none)
          if (hidden.some((field) => !shown.has(field) && !shown.has(''))) yield { flow, store, variable }
        }
    }
  },

  excuses: [excuse('revealed', 'a commitment hash was stored first and is checked', isRevealed)],

  finding: ({ flow, store, variable, unlocked }) => ({
    at: unlocked === undefined ? store : variable.node,
    message:
      unlocked === undefined
        ? `\`${variable.name}\` decides a payout and is stored unencrypted in \`${flow.name}()\`, so an attacker reads it from the chain before it is used and plays to win.`
        : `\`${variable.name}\` works as a password and is stored unencrypted, so anyone can read it from the chain and pass the check.`,
    trace: flow.trace(store),
  }),
})
