import { dependsOn, parametersOf, type Recovery, recoveriesOf, recoversSigner } from '../../facts/index.ts'
import { loweredBy, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, type LoadOp, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'
import { excuses } from './excuses.ts'
import { keysOf, loadsIn, type Replay } from './replay.ts'

/** Of what a recovery has effect on, the first that nothing excuses will do for each place that it is told at. */
function* replaysOf(flow: Flow, recovery: Recovery): Generator<Replay, void, boolean> {
  const told = new Set<number>()
  for (const effects of flow.answer(effectsOf))
    for (const effect of flow.following(recovery.op, effects)) {
      const { start } = flow.inCommonCaller(recovery.op, effect)
      if (!told.has(start) && (yield { flow, recovery, effect, nonce: null })) told.add(start)
    }
}

/** Pays, moves tokens or counts something up: doing it twice is worth something. */
const effectsOf = (flow: Flow): readonly (readonly Op[])[] => {
  const calls = flow.externalCalls().filter((call) => !isQuestion(call) && !isAboutNew(call))
  const counts = flow.stateStores().filter((store) => {
    const value = stripCasts(store.args[0])
    if (value.kind === 'bin' && (value.operator === '+' || value.operator === '-')) return !value.args.some(isOne)
    return value.kind === 'param' && isUsedUp(flow, store)
  })
  return [calls, counts]
}

/** Declared as one, also for compilers before 0.5, which do not hold the callee to it. */
const isQuestion = ({ call: { isStatic, definition } }: CallOp): boolean =>
  isStatic || definition?.mutability === 'view' || definition?.mutability === 'pure'

/** A contract is made, or set up that was just made: it is a new one each time, or cannot be made again. */
const isAboutNew = ({ call: { kind, target, value } }: CallOp): boolean => {
  if (kind === 'create') return true
  const callee = target === null ? null : stripCasts(target)
  return value === null && callee?.kind === 'call' && callee.call.kind === 'create'
}

/** An allowance: elsewhere it is lowered, and a replay fills it again. */
const isUsedUp = ({ contractFlow }: Flow, { location: { variable } }: StoreOp): boolean =>
  variable !== null && contractFlow.writersOf(variable).some(({ op }) => loweredBy(op) !== null)

/** One more is how nonces count. */
const isOne = (op: Op): boolean => op.kind === 'const' && op.constant === 1n

/** The number that the message uses up is kept for an account that the message does not name: it holds for every other too. */
const foreignNonces = (flow: Flow, { digest }: Recovery): LoadOp[] => {
  const named = parametersOf(flow, [digest])
  return loadsIn(flow, digest).filter(({ location }) => {
    const [key] = keysOf(location).map(stripCasts)
    return key?.kind === 'param' && !named.has(key) && !dependsOn(flow, digest, (part) => stripCasts(part) === key)
  })
}

export default defineDetector<Replay>({
  id: 'signature-replay',
  swc: 'SWC-121',
  title: 'Signature can be used again',
  severity: 'high',
  confidence: 'medium',
  description:
    'A signed message pays or moves something, and neither a nonce nor a record of used messages ends its validity. Whoever has seen it on the chain can send it again.',
  recommendation: 'Put a nonce of the signer into the message and raise it, or mark the message as used before acting.',
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
          // What happens once more is one cause, in however many ways and for however many signatures it does.
          cause: effect,
          message: 'Nothing keeps the same signature from being used again.',
          trace: [
            witnessStep(
              flow,
              op,
              'with a signature that was used before they have it done once more, at the signer’s cost',
            ),
            ...flow.trace(op),
            { at: effect, message: 'This happens once more on every replay.' },
          ],
        }
      : {
          at: flow.inEntry(op),
          message:
            'The signed message does not say for whom its number is used up: it can be used once for every other account.',
          trace: [
            witnessStep(
              flow,
              op,
              'with a signature that was used before they have it done once more, at the signer’s cost',
            ),
            { at: nonce, message: 'The number is looked up by what the caller names.' },
          ],
        },
})
