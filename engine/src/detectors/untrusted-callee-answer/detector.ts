import { dependsOn, type Fact, findDependency, fromFactsAt, isUntrusted } from '../../facts/index.ts'
import { isOwnTokenBalance, keysOf, outgoingOf, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, sameValue, stripCasts } from '../../ir/index.ts'

import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** The answer that passed a check. */
  readonly first: CallOp
  /** The answer that is used. */
  readonly second: CallOp
  readonly use: Op
}

const isQuestion = (op: Op): op is CallOp =>
  op.kind === 'call' && op.call.kind === 'external' && op.call.target !== null

/** The answer that a condition rests on. */
const answersIn = (flow: Flow, { condition }: Fact): readonly CallOp[] => {
  const answer = findDependency(flow, condition, isQuestion)
  return answer === undefined ? [] : [answer]
}

/** What was put there before on every path, where the value is read from state. */
const asStored = (flow: Flow, value: Op): Op => {
  const op = stripCasts(value)
  if (op.kind !== 'load' || op.location.space !== 'state') return op
  const store = flow.stateStores().findLast(({ location, id }) => location === op.location && id < op.id)
  return store !== undefined && flow.dominates(store, op) ? stripCasts(store.args[0]) : op
}

const isSameQuestion = (flow: Flow, a: CallOp, b: CallOp): boolean =>
  a !== b &&
  a.call.name === b.call.name &&
  a.args.length === b.args.length &&
  sameValue(a.call.target!, b.call.target!) &&
  a.args.every((arg, i) => sameValue(asStored(flow, arg), asStored(flow, b.args[i]!)))

/** The answer is kept, or says how much is paid. */
const findUse = (flow: Flow, answer: CallOp): Op | undefined => {
  const isAnswer = (op: Op): boolean => op === answer
  const rests = (value: Op | null | undefined): boolean => value != null && dependsOn(flow, value, isAnswer)
  return (
    flow.stateStores().find(({ args }) => rests(args[0])) ?? outgoingOf(flow).find(({ amount }) => rests(amount))?.op
  )
}

const isAboutItself = ({ flow, second, use }: Candidate): boolean => {
  const answering = second.call.target!
  if (use.kind === 'store') {
    return keysOf(use.location).some((key) => sameValue(key, answering))
  }
  return outgoingOf(flow).some(({ op, token }) => op === use && token !== null && sameValue(token, answering))
}

export default defineDetector<Candidate>({
  id: 'untrusted-callee-answer',
  swc: null,
  title: 'Inconsistent answers from an untrusted contract',
  aliases: {
    owasp: ['SC06:2025'],
    words: ['double read', 'time of check time of use', 'TOCTOU', 'Ethernaut Elevator', 'Shop'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A contract that the caller names is called for a value, which passes a check; then it is called again and the second value is used. The two values can differ, so the check is bypassed (time of check, time of use).',
  recommendation: 'Call once, store the result in a local variable, and check and use that.',
  references: ['https://docs.soliditylang.org/en/latest/security-considerations.html'],
  cwe: ['CWE-367', 'CWE-345'],

  needs: [holding.typedCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const second of flow.externalCalls()) {
        if (!isQuestion(second) || isOwnTokenBalance(second) || !isUntrusted(flow, second.call.target!, second))
          continue
        const first = fromFactsAt(flow, second, answersIn).find((queried) => isSameQuestion(flow, queried, second))
        const use = first === undefined ? undefined : findUse(flow, second)
        if (first !== undefined && use !== undefined) yield { flow, first, second, use }
      }
  },
  excuses: [
    excuse(
      'about-itself',
      'values stored under the answering contract pay nobody or pay in its own tokens',
      isAboutItself,
    ),
  ],
  finding: ({ flow, first, second, use }) => ({
    at: second,
    message: `\`${flow.name}()\` checks what \`${second.call.name}()\` of a contract chosen by the caller returns, then calls it again and uses that: an attacker’s contract returns a valid value first and another one then.`,
    trace: [
      witnessStep(flow, second, 'answers differently after the check'),
      { at: first, message: 'The first answer passes the check.' },
      { at: use, message: 'The second answer is used.' },
    ],
  }),
})
