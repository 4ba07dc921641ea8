import { dependsOn, guardsAt, isProtected, Source, taintOf } from '../../facts/index.ts'
import { type CallOp, type Flow, holding, type Op, rootOf, type StoreOp, stripCasts } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly call: CallOp
  /** Where the request is marked as handled. */
  readonly mark: Op
}

const chosen = Source.param | Source.data | Source.outsiderState

/** Someone else's request is passed on, and a failure comes back as an answer: its data, or data made from what was handed in. */
const isRelay = (flow: Flow, { call, args }: CallOp): boolean => {
  const { kind, isTried } = call
  if (kind !== 'lowlevel' && !(kind === 'external' && isTried)) return false
  return args.some((data) => data.kind !== 'const' && (taintOf(flow, data) & chosen) !== 0)
}

const isGas = (op: Op): boolean =>
  (op.kind === 'builtin' && (op.operator === 'gasleft' || op.operator === 'gas')) ||
  (op.kind === 'env' && op.operator === 'msg.gas')

/** Sets state to something fixed, as a mark does. */
const isMark = (store: StoreOp): boolean => {
  const value = stripCasts(store.args[0])
  return value.kind === 'const' && value.constant !== 0n && rootOf(store.location).variable !== null
}

/** Marks on state that some condition tests: worked out once, for calls may be many and marks too. */
const findMarks = (flow: Flow): readonly StoreOp[] => {
  const marks = flow.stateStores().filter(isMark)
  const tests = marks.length === 0 ? [] : [...flow.ops('assume').map(({ args }) => args[0]), ...conditionsOf(flow)]
  const isTested = (variable: VariableModel | null): boolean =>
    tests.some((test) => dependsOn(flow, test, (op) => op.kind === 'load' && op.location.variable === variable))
  const tested = new Set([...new Set(marks.map(({ location }) => rootOf(location).variable))].filter(isTested))
  return marks.filter(({ location }) => tested.has(rootOf(location).variable))
}

const conditionsOf = ({ blocks }: Flow): Op[] =>
  blocks.flatMap(({ condition }) => (condition === null ? [] : [condition]))

/** The mark that the request was handled: tested before and set for good, whatever the call answers. */
const markBefore = (flow: Flow, call: CallOp): Op | undefined =>
  flow.answer(findMarks).find((store) => {
    if (!flow.dominates(store, call)) return false
    const { variable } = rootOf(store.location)
    const isTested = guardsAt(flow, call).some(({ condition }) =>
      dependsOn(flow, condition, (op) => op.kind === 'load' && op.location.variable === variable),
    )
    const isTakenBack = flow
      .stateStores()
      .some((other) => other !== store && other.location.variable === variable && flow.canFollow(call, other))
    return isTested && !isTakenBack
  })

export default defineDetector<Candidate>({
  id: 'insufficient-gas-griefing',
  swc: 'SWC-126',
  title: 'Insufficient gas griefing',
  aliases: { owasp: ['SC10:2025'], scwe: ['SCWE-059'], words: ['meta transaction', 'relayer', '63/64 rule'] },
  severity: 'low',
  confidence: 'medium',
  description:
    'A relayer executes requests of others and marks them as executed even if the inner call fails. A malicious relayer supplies too little gas, so the request fails permanently and cannot be repeated.',
  recommendation: 'Require enough gas for the inner call (the signer states how much), or revert when it fails.',
  references: ['https://swcregistry.io/docs/SWC-126'],
  cwe: ['CWE-691'],

  needs: [holding.openCall, holding.stateWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const call of flow.externalCalls()) {
        const mark = isRelay(flow, call) ? markBefore(flow, call) : undefined
        if (mark !== undefined) yield { flow, call, mark }
      }
  },

  excuses: [
    excuse('protected', 'only privileged accounts relay', ({ flow, call }) => isProtected(flow, call)),
    excuse(
      'gas-looked-at',
      'the gas is checked by a condition or set on the call',
      ({ flow, call }) =>
        call.call.gas !== null || guardsAt(flow, call).some(({ condition }) => dependsOn(flow, condition, isGas)),
    ),
    excuse('limit-passed-on', 'a number that may be a gas limit is passed to the receiver', ({ flow, call }) =>
      call.args.some((data) => dependsOn(flow, data, (op) => op.kind === 'param' && flow.typeOf(op)?.kind === 'int')),
    ),
    excuse('must-succeed', 'a failed call reverts the mark', ({ flow, call }) => {
      const isCall = (op: Op): boolean => op === call
      return (
        (call.call.bubbles && !call.call.isTried) ||
        flow.ops('assume').some((check) => flow.canFollow(call, check) && dependsOn(flow, check.args[0], isCall)) ||
        flow
          .ops('revert')
          .some((revert) => guardsAt(flow, revert).some(({ condition }) => dependsOn(flow, condition, isCall)))
      )
    }),
  ],

  finding: ({ flow, call, mark }) => ({
    at: call,
    message: `\`${flow.name}()\` marks the request as executed even if this call fails, so a relayer who supplies too little gas uses up the user’s signed request without executing it.`,
    trace: [{ at: mark, message: 'The request is marked as executed here.' }],
  }),
})
