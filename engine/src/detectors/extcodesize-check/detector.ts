import { guardRestingOn, isOrigin, isSender } from '../../facts/index.ts'
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

/** What it takes: a look at somebody's code. */
const asksForCode = (flow: Flow): boolean =>
  flow.ops('builtin').some(({ operator }) => operator.startsWith('extcode') || operator === 'code') ||
  flow.ops('call').some(({ call }) => call.name === 'isContract')

export default defineDetector<Candidate>({
  id: 'extcodesize-check',
  swc: null,
  title: 'A contract passes for a person while it is being built',
  severity: 'medium',
  confidence: 'medium',
  description:
    'Contracts are to be kept out by looking at the size of their code. While a constructor runs the size is zero, so whoever acts from a constructor passes.',
  recommendation:
    'Do not rely on it. What must hold for contracts must hold for everybody; guard against reentrancy and borrowed funds directly.',
  references: [
    'https://consensys.github.io/smart-contract-best-practices/development-recommendations/solidity-specific/extcodesize-checks/',
  ],
  cwe: ['CWE-693'],

  needs: [asksForCode, holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const deed of [...flow.stateStores(), ...flow.externalCalls()]) {
        const check = guardRestingOn(flow, deed, isSenderCode)
        if (check !== null) yield { flow, check, deed }
      }
  },
  excuses: [
    excuse(
      'asks-the-sender',
      'it is the sender that is called, if it has code: nobody is kept out',
      ({ deed }) => deed.kind === 'call' && deed.call.target !== null && isSender(deed.call.target),
    ),
    excuse(
      'origin-too',
      'the sender must be the one who signed the transaction as well',
      ({ flow, deed }) => guardRestingOn(flow, deed, isOrigin) !== null,
    ),
  ],
  finding: ({ flow, check, deed }) => ({
    at: check,
    message: 'The code size of the sender is zero while its constructor runs: a contract passes this.',
    trace: flow.trace(deed),
  }),
})
