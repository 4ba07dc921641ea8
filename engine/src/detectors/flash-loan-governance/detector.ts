import { findDependency, isProtected, isSender } from '../../facts/index.ts'
import { incomingOf, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: Op
  readonly balance: Op
}

/** What the sender holds of a token at this moment. */
const isPresentHolding = (op: Op): boolean =>
  op.kind === 'call' &&
  op.call.kind === 'external' &&
  op.call.name === 'balanceOf' &&
  op.args.length === 1 &&
  isSender(op.args[0]!)

/** `votes[id] += balance`: a count that is not the sender's own. */
const isTally = ({ location, args }: Op): boolean => {
  const value = stripCasts(args[0]!)
  if (value.kind !== 'bin' || value.operator !== '+') return false
  for (let at = location; at !== null; at = at.parent) if (at.index !== null && isSender(at.index)) return false
  return true
}

export default defineDetector<Candidate>({
  id: 'flash-loan-governance',
  swc: null,
  title: 'Votes counted by what is held at the moment',
  severity: 'high',
  confidence: 'medium',
  description:
    'A vote weighs as much as the voter holds when voting. Whoever borrows the tokens for one transaction decides, and gives them back; or votes, hands the tokens on and lets them vote again.',
  recommendation:
    'Count what was held at a past block (`getPastVotes`), or lock the tokens for as long as the vote is open.',
  references: ['https://docs.openzeppelin.com/contracts/5.x/governance'],
  cwe: ['CWE-841'],

  needs: [holding.typedCall, holding.stateWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const store of flow.stateStores()) {
        if (!isTally(store)) continue
        const balance = findDependency(flow, store.args[0], isPresentHolding)
        if (balance !== undefined) yield { flow, store, balance }
      }
  },
  excuses: [
    excuse('tokens-locked', 'the tokens are taken in for as long as they count', ({ flow }) =>
      incomingOf(flow).some(({ from }) => isSender(from!)),
    ),
    excuse('only-roles', 'only holders of a role can do this', ({ flow, store }) => isProtected(flow, store)),
  ],
  finding: ({ flow, store, balance }) => ({
    at: store,
    message: 'What the caller holds at this moment is counted: borrowed tokens count too.',
    trace: [
      witnessStep(flow, store, 'with tokens borrowed for one transaction they outvote those who hold theirs'),
      { at: { start: balance.start, end: balance.end }, message: 'The present balance is read here.' },
      ...flow.trace(store),
    ],
  }),
})
