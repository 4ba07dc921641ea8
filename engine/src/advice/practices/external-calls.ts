import { lockedAt, loopAround, writesAfter } from '../../facts/index.ts'
import { type CallOp, type Flow, holding, type Op } from '../../ir/index.ts'
import { definePractice, namesOf, type Practice, type Subject } from '../practice.ts'
import { subjectOf, writerOf } from '../subjects.ts'

const category = 'External calls'

/** Sends ether or calls without a type, with enough gas to come back. */
const canCallBack = ({ call }: CallOp): boolean =>
  call.gasKind !== 'stipend' && !call.isStatic && (call.value !== null || call.kind === 'lowlevel')

const isSettled = (flow: Flow, call: Op): boolean =>
  lockedAt(flow, call) !== null || writesAfter(flow, call).length === 0

const bookkeepingFirst = definePractice({
  id: 'bookkeeping-first',
  category,
  needs: [holding.externalCall],
  *subjects({ entryPoints }) {
    for (const flow of entryPoints) {
      const calls = flow.externalCalls().filter(canCallBack)
      if (calls.length === 0) continue
      const subject = subjectOf(
        flow,
        calls.every((call) => isSettled(flow, call)),
      )
      if (subject !== null) yield subject
    }
  },
  kept: 'Functions that send ETH update state first or use a reentrancy guard.',
  advice: (open) => `Update state before the external call in ${namesOf(open)}, or use a reentrancy guard.`,
  isUrgent: true,
})

/** A receiver that refuses stops the others: the failure is not caught. */
const paysInLoop = (flow: Flow): boolean =>
  flow.sends().some((send) => !send.call.isTried && loopAround(flow, send) !== undefined)

const pullPayments = definePractice({
  id: 'pull-payments',
  category,
  needs: [holding.externalCall, holding.loop],
  *subjects({ entryPoints }) {
    for (const flow of entryPoints) {
      const subject = flow.ir.loops.length > 0 && paysInLoop(flow) ? subjectOf(flow) : null
      if (subject !== null) yield subject
    }
  },
  advice: (open) =>
    `Use pull payments instead of paying in a loop: in ${namesOf(open)} one reverting recipient blocks all.`,
  isUrgent: true,
})

/** Where the calls of some kinds are written. */
const writersOfCalls = (kinds: readonly string[]) =>
  function* ({ functions }: { readonly functions: readonly Flow[] }): Generator<Subject> {
    for (const flow of functions)
      for (const op of flow.ops('call')) {
        const subject = kinds.includes(op.call.kind) ? writerOf(flow, op) : null
        if (subject !== null) yield subject
      }
  }

const lowLevelCalls = definePractice({
  id: 'low-level-calls',
  category,
  needs: [holding.lowLevelCall],
  subjects: writersOfCalls(['lowlevel']),
  isCheck: true,
  advice: (_, all) => `Verify the result of low-level calls and that the target has code: ${namesOf(all)}.`,
})

const delegateCalls = definePractice({
  id: 'delegate-calls',
  category,
  needs: [holding.delegateCall],
  subjects: writersOfCalls(['delegate', 'callcode']),
  isCheck: true,
  advice: (_, all) =>
    `Fix the \`delegatecall\` target or let only a trusted role set it, and keep the storage layouts compatible: ${namesOf(all)}.`,
})

export const externalCalls: readonly Practice[] = [bookkeepingFirst, pullPayments, lowLevelCalls, delegateCalls]
