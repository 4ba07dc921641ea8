import { callsToken, isSelf, tokenCalls, unreachable } from '../../idioms/index.ts'
import { type CallOp, type ContractFlow, type Flow, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import type { FunctionModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

/** Somewhere the contract allows itself, or is given whom to allow. */
const approvesItself = ({ flows }: ContractFlow): boolean =>
  flows.some((flow) =>
    tokenCalls(flow).some(
      ({ name, to }) =>
        name === 'approve' && (isSelf(to) || (stripCasts(to).kind === 'param' && !isCalled(flow, stripCasts(to)))),
    ),
  )

/** An address whose functions are called is another contract than this one. */
const isCalled = (flow: Flow, address: Op): boolean =>
  flow.externalCalls().some(({ call }) => call.target !== null && stripCasts(call.target) === address)

/** `token.approve(helper, n); helper.transferFrom(this, to, n)`: what is called is no token but spends one. */
const isSpender = (flow: Flow, called: Op): boolean =>
  tokenCalls(flow).some(({ name, to }) => name === 'approve' && sameValue(stripCasts(to), stripCasts(called)))

export default defineDetector<Candidate>({
  id: 'transfer-from-self',
  swc: null,
  title: 'transferFrom own balance without allowance',
  aliases: { words: ['transferFrom address(this)', 'stuck tokens'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'The contract moves its own tokens with `transferFrom`. Most tokens require an allowance even then, and the contract never approved itself, so the call reverts and the tokens are locked.',
  recommendation: 'Use `transfer` for tokens that the contract holds.',
  references: ['https://eips.ethereum.org/EIPS/eip-20'],
  cwe: ['CWE-703'],

  needs: [callsToken],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const { op, from, token } of tokenCalls(flow))
        if (
          from !== null &&
          isSelf(from) &&
          token !== null &&
          !isSelf(token) &&
          isCounted(op) &&
          !isSpender(flow, token)
        )
          yield { flow, op }
  },
  excuses: [
    excuse('allows-itself', 'the contract approves itself somewhere', ({ flow }) =>
      flow.contractFlow.answer(approvesItself),
    ),
    unreachable,
  ],
  finding: ({ flow, op }) => ({
    at: op,
    message: `\`${flow.name}()\` moves the contract’s own tokens with \`transferFrom\`, but the contract never approved itself, so with most tokens the call reverts and the tokens are locked.`,
    trace: flow.trace(op),
  }),
})

/**
 * A token that counts, as its answer of true or false says: an NFT moves by the same name without asking its owner for an allowance, and so
 * does wrapped ether. What is tried may fail.
 */
const isCounted = ({ call }: CallOp): boolean =>
  !call.isTried &&
  (call.kind === 'library' || (call.definition?.returns[0]?.type.kind === 'bool' && !isWrappedEther(call.definition)))

const isWrappedEther = ({ contract }: FunctionModel): boolean =>
  contract?.allFunctions.some(
    ({ name, params, mutability }) => name === 'deposit' && params.length === 0 && mutability === 'payable',
  ) ?? false
