import {
  dependsOn,
  isProtected,
  parametersOf,
  type Recovery,
  recoveriesOf,
  recoversSigner,
  Source,
  taintOf,
} from '../../facts/index.ts'
import { entriesOf, keysOf, loweredBy, paymentsOf, provenStep } from '../../idioms/index.ts'
import { type CallOp, describeCall, type Flow, type LoadOp, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'
import { excuses } from './excuses.ts'
import { loadsIn, type Replay } from './replay.ts'

/** Of what a recovery has effect on, the first that nothing excuses will do for each place that it is reported at. */
function* replaysOf(flow: Flow, recovery: Recovery): Generator<Replay, void, boolean> {
  const reported = new Set<number>()
  for (const effects of flow.answer(effectsOf))
    for (const effect of flow.following(recovery.op, effects)) {
      const { start } = flow.inCommonCaller(recovery.op, effect)
      if (!reported.has(start) && (yield { flow, recovery, effect, nonce: null })) reported.add(start)
    }
}

/** Pays, moves tokens, counts something up or sets what others change again: doing it twice is worth something. */
const effectsOf = (flow: Flow): readonly (readonly Op[])[] => {
  const calls = flow.externalCalls().filter((call) => !isQuestion(call) && !isAboutNew(call) && !isLog(flow, call))
  const counts = flow.stateStores().filter((store) => {
    const value = stripCasts(store.args[0])
    if (value.kind === 'bin' && (value.operator === '+' || value.operator === '-')) return !value.args.some(isOne)
    return (taintOf(flow, value) & Source.param) !== 0 && (isUsedUp(flow, store) || isSetElsewhere(flow, store))
  })
  return [calls, counts]
}

/** Declared as one, also for compilers before 0.5, which do not hold the callee to it. */
const isQuestion = ({ call: { isStatic, definition } }: CallOp): boolean =>
  isStatic || definition?.mutability === 'view' || definition?.mutability === 'pure'

/** `console.log(signer)` of a test library that is not among the files. */
const isLog = ({ model }: Flow, op: CallOp): boolean => /^console2?\.log/.test(describeCall(model, op))

/** A contract is made, or set up that was just made: it is a new one each time, or cannot be made again. */
const isAboutNew = ({ call: { kind, target, value } }: CallOp): boolean => {
  if (kind === 'create') return true
  const callee = target === null ? null : stripCasts(target)
  return value === null && callee?.kind === 'call' && callee.call.kind === 'create'
}

/** An allowance: elsewhere it is lowered, and a replay fills it again. */
const isUsedUp = ({ contractFlow }: Flow, { location: { variable } }: StoreOp): boolean =>
  variable !== null && contractFlow.writersOf(variable).some(({ op }) => loweredBy(op) !== null)

/** A permission or a delegate that the signer takes back elsewhere: a replay sets it again. */
const isSetElsewhere = ({ fn, contractFlow }: Flow, { location }: StoreOp): boolean =>
  keysOf(location).length > 0 &&
  contractFlow.writersTo(location).some(({ flow, op }) => flow.fn !== fn && flow.isEntryPoint && !isProtected(flow, op))

/** One more is how nonces count. */
const isOne = (op: Op): boolean => op.kind === 'const' && op.constant === 1n

/** The number that the message uses up is kept for an account that the message does not name: it holds for every other too. */
const foreignNonces = (flow: Flow, { digest }: Recovery): LoadOp[] => {
  const named = parametersOf(flow, [digest])
  return loadsIn(flow, digest).filter(({ location }) => {
    const [key] = keysOf(location)
    return key?.kind === 'param' && !named.has(key) && !dependsOn(flow, digest, (part) => stripCasts(part) === key)
  })
}

/** What one more submission of the message does. */
const repetitionOf = (flow: Flow, effect: Op): string => {
  const asset = paymentsOf(flow).find(({ op }) => op === effect)?.asset
  if (asset !== undefined) return `${asset === 'ether' ? 'ETH is' : 'Tokens are'} transferred again on every replay.`
  if (effect.kind === 'store') return `\`${flow.describe(effect.location)}\` is written again on every replay.`
  return effect.kind === 'call'
    ? `\`${describeCall(flow.model, effect)}\` is called again on every replay.`
    : 'This is repeated on every replay.'
}

/** Nothing here is paid, counted or let through by what is set again: other contracts may read it, and an earlier value comes back. */
const isOnlyOnRecord = (flow: Flow, effect: Op): boolean => {
  const variable =
    effect.kind === 'store' && stripCasts(effect.args[0]).kind !== 'bin' ? effect.location.variable : null
  return (
    variable !== null &&
    !isUsedUp(flow, effect as StoreOp) &&
    flow.contractFlow.readersOf(variable).every(({ flow: reader }) => !hasStakes(reader))
  )
}

/** Assets move, entries are raised or lowered by more than one, other contracts act, or an account is checked. */
const hasStakes = (flow: Flow): boolean => flow.answer(findStakes)

const findStakes = (flow: Flow): boolean =>
  paymentsOf(flow).length > 0 ||
  entriesOf(flow).some(({ amount }) => !isOne(stripCasts(amount))) ||
  flow.externalCalls().some((call) => !isQuestion(call)) ||
  flow.stateStores().some((store) => isProtected(flow, store))

/** Another contract receives an order that pays nothing here: it may know what it has done, and refuse the second time. */
const isLeftToCallee = (flow: Flow, effect: Op): boolean =>
  effect.kind === 'call' &&
  effect.call.kind === 'external' &&
  effect.call.value === null &&
  paymentsOf(flow).every(({ op }) => op !== effect)

export default defineDetector<Replay>({
  id: 'signature-replay',
  swc: 'SWC-121',
  title: 'Signature replay',
  aliases: {
    owasp: ['SC03:2025'],
    scwe: ['SCWE-055', 'SCWE-022'],
    words: ['missing nonce', 'replay attack', 'reuse signature'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A signed message moves assets, but no nonce or record of used messages invalidates it. Anyone who saw it on chain can submit it again.',
  recommendation:
    'Include the signer’s nonce in the message and increment it, or mark the message as used before acting.',
  references: ['https://swcregistry.io/docs/SWC-121'],
  cwe: ['CWE-347'],

  needs: [recoversSigner],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const recovery of recoveriesOf(flow)) {
        if (parametersOf(flow, [recovery.digest]).size > 0) yield* replaysOf(flow, recovery)
        for (const nonce of foreignNonces(flow, recovery)) yield { flow, recovery, effect: null, nonce }
      }
  },

  excuses,

  finding: ({ flow, recovery: { op }, effect, nonce }) =>
    nonce === null
      ? {
          at: flow.inCommonCaller(op, effect),
          factors: {
            counterEvidence: isLeftToCallee(flow, effect) ? ['the called contract may reject the repeated call'] : [],
          },
          ...(isOnlyOnRecord(flow, effect) ? { severity: 'medium' as const } : {}),
          // What happens once more is one cause, in however many ways and for however many signatures it does.
          cause: effect,
          message: `The message signed for \`${flow.name}()\` contains no nonce and is not marked as used, so anyone who saw the signature on chain can submit it again and repeat what the signer allowed once.`,
          trace: [
            provenStep(flow, op, 'submits a used signature again'),
            ...flow.trace(op),
            { at: effect, message: repetitionOf(flow, effect) },
          ],
        }
      : {
          at: flow.inEntry(op),
          message: `The signed message does not name the account whose nonce \`${flow.name}()\` uses, so anyone can submit one signature once for every account.`,
          trace: [
            provenStep(flow, op, 'submits a used signature again'),
            { at: nonce, message: 'The nonce is looked up under an account the caller names.' },
          ],
        },
})
