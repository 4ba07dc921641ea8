import { grownBy, isProtected, isSender, loopAround, revertsOnFailure, writesAfter } from '../../facts/index.ts'
import { paymentsOf, witnessStep } from '../../idioms/index.ts'
import {
  type CallOp,
  describeCall,
  type Flow,
  holding,
  type LoadOp,
  type Location,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'
import type { BlockingCall } from './blocking-call.ts'
import { excuses } from './excuses.ts'
import { listOf, storedPlace } from './stored-place.ts'

/** Calls that must succeed, of someone on record. */
function* callsOnRecord(flow: Flow): Iterable<BlockingCall> {
  for (const call of flow.externalCalls()) {
    const { target, isStatic, kind, value } = call.call
    const callee = target === null ? null : stripCasts(target)
    const place = callee?.kind === 'load' ? storedPlace(callee) : null
    if (callee?.kind !== 'load' || place === null || isStatic || kind === 'delegate' || !revertsOnFailure(flow, call))
      continue
    const loop = loopAround(flow, call)
    const list = loop === undefined ? null : listOf(flow, callee, loop.mark.header)
    if (list !== null) yield { flow, call, place, list, keeps: value === null ? 'callees' : 'list' }
    else if (value !== null && isSeat(flow, call, readBy(callee), place)) yield { flow, call, place, keeps: 'seat' }
    else if (value !== null && isNextInLine(flow, place)) yield { flow, call, place, keeps: 'line' }
    else if (value !== null && loop === undefined && isDrawn(flow, call, place))
      yield { flow, call, place, keeps: 'draw' }
  }
}

/** Where the state was read: of a copy in memory, when it was made. */
const readBy = (holder: LoadOp): Op =>
  holder.location.space === 'memory' && holder.location.base !== null ? stripCasts(holder.location.base) : holder

/** A seat that one holds at a time: the holder is paid, then replaced, or replaced by the caller and then paid from what was read before. */
const isSeat = (flow: Flow, call: CallOp, read: Op, place: Location): boolean =>
  writesAfter(flow, call).some((write) => write.location === place) ||
  flow
    .stateStores()
    .some(
      (store) =>
        (store.location === place || store.location === place.parent || store.location.parent === place) &&
        flow.canFollow(read, store) &&
        [store.args[0], ...store.args[0].args].some(isSender) &&
        flow.canFollow(store, call),
    )

/** The element at a stored position that only this function moves on, and only when the payment went through. */
const isNextInLine = (flow: Flow, place: Location): boolean => {
  for (let at: Location | null = place; at !== null; at = at.parent) {
    const index = at.index === null ? null : stripCasts(at.index)
    if (index?.kind !== 'load' || index.location.space !== 'state' || index.location.part !== 'root') continue
    const writers = flow.contractFlow.writersOf(index.location.variable!).filter((write) => !write.flow.isConstructor)
    if (writers.length > 0 && writers.every((write) => write.flow === flow)) return true
  }
  return false
}

/** The element at a remainder, `players[seed % players.length]`, paid in the transaction that also settles the round for all. */
const isDrawn = (flow: Flow, call: CallOp, place: Location): boolean => {
  if (!flow.stateStores().some(({ location }) => location.part === 'root')) return false
  for (let at: Location | null = place; at !== null; at = at.parent) {
    const index = at.index === null ? null : stripCasts(at.index)
    if (index?.kind !== 'bin' || index.operator !== '%') continue
    // By a constant it is one of two players: a game, not a list that others join.
    return stripCasts(index.args[1]).kind !== 'const' && !isPickedByCaller(flow, call, index.args[0])
  }
  return false
}

/** Anyone who may call and gives the number itself gives another one when the first recipient refuses. */
const isPickedByCaller = (flow: Flow, call: CallOp, number: Op): boolean => {
  const op = stripCasts(number)
  const isGiven = op.kind === 'param' || (op.kind === 'load' && op.location.space === 'memory')
  return isGiven && !isProtected(flow, call)
}

/** Tokens for everybody on a stored list: a token that refuses one of them (a blocked or an empty address) refuses all. */
function* tokensForList(flow: Flow): Iterable<BlockingCall> {
  if (flow.ir.loops.length === 0) return
  for (const { op, asset, to } of paymentsOf(flow)) {
    const loop = loopAround(flow, op)
    const target = to === null ? null : stripCasts(to)
    if (loop === undefined || asset !== 'token' || op.call.isTried) continue
    if (
      target?.kind === 'load' &&
      target.location.space !== 'memory' &&
      listOf(flow, target, loop.mark.header) !== null
    )
      yield { flow, call: op, place: null, keeps: 'tokens' }
  }
}

const transfers = new Set(['transfer(address,uint256)', 'transferFrom(address,address,uint256)'])

/** A token that does other business while someone transfers: when that fails, nobody can transfer any more. */
function* burdenedTransfers(flow: Flow): Iterable<BlockingCall> {
  if (!flow.isEntryPoint || !transfers.has(flow.fn?.signature ?? '')) return
  if (!flow.stateStores().some(({ location }) => location.index !== null)) return
  for (const call of flow.externalCalls()) {
    const { target, isStatic, isTried, bubbles } = call.call
    const callee = target === null || isStatic || isTried || !bubbles ? null : stripCasts(target)
    if (callee?.kind === 'load' && callee.location.space === 'state' && callee.location.part === 'root')
      yield { flow, call, place: callee.location, keeps: 'transfers' }
  }
}

const messageOf = ({ flow, call, keeps, place }: BlockingCall): string => {
  const name = `\`${flow.name}()\``
  switch (keeps) {
    case 'list':
      return `${name} pays several recipients in one loop: one that rejects its payment makes the whole loop revert, so nobody is paid.`
    case 'callees':
      return `${name} calls several contracts in one loop (\`${describeCall(flow.model, call)}\`): if one of them reverts, ${name} reverts and nobody can use it.`
    case 'line':
      return `${name} pays the next recipient in a queue: if that recipient rejects the payment, everyone behind it stays unpaid.`
    case 'seat':
      return `${name} must pay \`${flow.describe(place!)}\` before it can be replaced: if that account is a contract that rejects ETH, ${name} reverts for everyone.`
    case 'draw':
      return `${name} pays the drawn recipient \`${flow.describe(place!)}\`: if that is a contract that rejects ETH, ${name} reverts and the round cannot end.`
    case 'tokens':
      return `${name} pays several recipients in one loop: one that the token rejects (blocklisted or zero address) reverts the payments to all.`
    case 'transfers':
      return `${name} calls \`${describeCall(flow.model, call)}\` on every transfer: if that call reverts, nobody can transfer the token.`
  }
}

/** `require(msg.sender == owner); payees.push(payee);`: accounts that a role has chosen seldom refuse their own money. */
const isListOfRole = ({ flow, list }: BlockingCall): boolean =>
  list?.variable != null && grownBy(flow.contractFlow, list.variable, true) === 'privileged'

const counterEvidenceOf = (blocking: BlockingCall): Pick<Hit, 'factors' | 'unproven'> => {
  const { flow, call, keeps } = blocking
  if (keeps === 'draw')
    return {
      factors: { counterEvidence: ['another draw may select another recipient'] },
      unproven: 'a later draw may select a recipient that accepts ETH',
    }
  if (keeps === 'callees' && isProtected(flow, call))
    return { factors: { counterEvidence: ['only privileged accounts can call it'] } }
  if (keeps === 'list' && isListOfRole(blocking))
    return { factors: { counterEvidence: ['privileged accounts choose the recipients'] } }
  const isReverting = keeps === 'tokens' || keeps === 'transfers'
  return { factors: isReverting ? { counterEvidence: ['only a reverting token or contract causes it'] } : {} }
}

export default defineDetector<BlockingCall>({
  id: 'dos-failed-call',
  swc: 'SWC-113',
  title: 'Denial of service by failed call',
  aliases: {
    slither: ['calls-loop'],
    aderyn: ['require-revert-in-loop'],
    owasp: ['SC10:2025'],
    words: ['denial of service', 'push payments', 'reverting recipient'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A payment that must succeed goes to an address that someone else chose. A contract that rejects ETH makes it revert and blocks everyone who shares the loop or comes next.',
  recommendation: 'Let each recipient withdraw on its own (pull payments), or skip recipients whose payment fails.',
  references: [
    'https://swcregistry.io/docs/SWC-113',
    'https://docs.soliditylang.org/en/latest/common-patterns.html#withdrawal-from-contracts',
  ],
  cwe: ['CWE-703'],

  needs: [holding.foreignCall],
  *candidates({ functions }) {
    for (const flow of functions) {
      yield* callsOnRecord(flow)
      yield* tokensForList(flow)
      yield* burdenedTransfers(flow)
    }
  },

  excuses,

  finding: (blocking) => {
    const { flow, call } = blocking
    return {
      at: call,
      message: messageOf(blocking),
      ...counterEvidenceOf(blocking),
      trace: [witnessStep(flow, call, 'it reverts because the callee rejects the call', 'A user'), ...flow.trace(call)],
    }
  },
})
