import { dependsOn, endsInRevert } from '../../facts/index.ts'
import { isOwnTokenBalance } from '../../idioms/index.ts'
import { type Flow, holding, isZero, type Op } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
}

/** One of the two outcomes ends the call. */
const canRevert = (flow: Flow, op: Op): boolean =>
  flow.ops('assume').some(({ args }) => dependsOn(flow, args[0], (part) => part === op)) ||
  flow.blocks.some(({ condition, succs }) => condition === op && succs.some((next) => endsInRevert(flow, next)))

/** `if (balance != recorded) recorded = balance`: nothing but the record of the balance hangs on it. */
const onlyRecords = ({ flow, op }: Candidate): boolean => {
  if (flow.usersOf(op).length > 0) return false
  const branches = flow.branchesOn(op)
  return (
    branches.length > 0 &&
    branches.every(({ succs }) =>
      succs.every((next) => {
        const { ops, succs: after, preds } = flow.blocks[next]!
        if (preds.length > 1) return true
        const acts = ops.filter(({ kind }) => kind === 'store' || kind === 'call' || kind === 'emit')
        const joined = flow.blocks[after[0]!]
        return (
          after.length === 1 &&
          joined!.preds.length > 1 &&
          joined!.phis.length === 0 &&
          acts.every((act) => isRecord(flow, act))
        )
      }),
    )
  )
}

const isRecord = (flow: Flow, act: Op): boolean =>
  act.kind === 'store' && dependsOn(flow, act.args[0], isOwnTokenBalance)

const messageOf = (flow: Flow, op: Op): string =>
  canRevert(flow, op)
    ? `Anyone can send 1 wei of the token to this contract, so that this exact balance check fails and \`${flow.name}()\` reverts.`
    : `Anyone can send 1 wei of the token to this contract so that this exact comparison never holds and \`${flow.name}()\` takes the other branch.`

export default defineDetector<Candidate>({
  id: 'strict-token-balance',
  swc: null,
  title: 'Strict equality on token balance',
  aliases: {
    slither: ['incorrect-equality'],
    aderyn: ['strict-equality-contract-balance'],
    owasp: ['SC10:2025'],
    words: ['donation', 'strict equality', 'balanceOf'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    'Anyone can send tokens to any address. A condition that requires an exact token balance can be broken permanently by sending one unit of the token.',
  recommendation: 'Compare the balance before and after with `>=`, or track the amount in a state variable.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#dangerous-strict-equalities'],
  cwe: ['CWE-697'],
  yieldsTo: ['unexpected-gas-usage'],

  needs: [holding.balanceQuery],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const op of flow.ops('bin'))
        if ((op.operator === '==' || op.operator === '!=') && op.args.some(isOwnTokenBalance)) yield { flow, op }
  },

  excuses: [
    excuse(
      'unchanged',
      'it compares a balance with what it was before, so a donation only reverts the donor’s own call',
      ({ flow, op }) => op.args.every((side) => dependsOn(flow, side, isOwnTokenBalance)),
    ),
    excuse('record', 'the comparison only decides whether the balance itself is stored', onlyRecords),
    excuse('emptiness', 'it compares with zero to skip work', ({ op }) => op.args.some(isZero)),
  ],

  finding: ({ flow, op }) => ({
    at: op,
    message: messageOf(flow, op),
    trace: flow.trace(op),
  }),
})
