import { guardRestingOn, isFromOrigin, isSender, someFactAt } from '../../facts/index.ts'
import { type Flow, holding, type LoadOp, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly check: Op
  readonly deed: Op
}

/** The size of the code at the sender's address. */
const isSenderCode = (op: Op): boolean => {
  if (op.kind === 'builtin' && (op.operator === 'extcodesize' || op.operator === 'extcodehash'))
    return isSender(op.args[0]!)
  if (op.kind !== 'call' && op.kind !== 'builtin') return op.kind === 'load' && isCodeOfSender(op)
  return op.kind === 'call' && op.call.name === 'isContract' && op.args.some((arg) => isSender(arg))
}

const isCodeOfSender = ({ location }: LoadOp): boolean => {
  const base = location.base === null ? null : stripCasts(location.base)
  return location.part === 'length' && base?.kind === 'builtin' && base.operator === 'code' && isSender(base.args[0]!)
}

/** What it takes: a look at a user's code. */
const readsCode = (flow: Flow): boolean =>
  flow.ops('builtin').some(({ operator }) => operator.startsWith('extcode') || operator === 'code') ||
  flow.ops('call').some(({ call }) => call.name === 'isContract')

export default defineDetector<Candidate>({
  id: 'extcodesize-check',
  swc: null,
  title: 'extcodesize check bypassed from a constructor',
  aliases: { words: ['isContract bypass', 'contract check in constructor', 'code size'] },
  severity: 'low',
  confidence: 'medium',
  description:
    'The contract tries to exclude contracts by checking that the caller’s code size is zero. During construction the code size is zero, so an attacker calls from a constructor and passes.',
  recommendation:
    'Do not rely on code size. Protect against reentrancy and flash loans directly, so that the caller’s type does not matter.',
  references: [
    'https://consensys.github.io/smart-contract-best-practices/development-recommendations/solidity-specific/extcodesize-checks/',
  ],
  cwe: ['CWE-693'],

  needs: [readsCode, holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const deed of [...flow.stateStores(), ...flow.externalCalls()]) {
        const check = guardRestingOn(flow, deed, isSenderCode)
        if (check !== null) yield { flow, check, deed }
      }
  },
  excuses: [
    excuse(
      'only-decides-callback',
      'code size only decides whether the sender gets a callback: nobody is excluded',
      ({ deed }) => deed.kind === 'call' && deed.call.target !== null && isSender(deed.call.target),
    ),
    excuse('origin-too', 'the sender must also be `tx.origin`', ({ flow, deed }) =>
      someFactAt(flow, deed, isFromOrigin),
    ),
  ],
  finding: ({ flow, check, deed }) => ({
    at: check,
    message: `\`${flow.name}()\` rejects contracts by their code size, which is zero while a constructor runs, so an attacker’s contract passes this check when it calls from its constructor.`,
    trace: flow.trace(deed),
  }),
})
