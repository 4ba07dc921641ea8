import {
  type Fact,
  findDependency,
  fromFactsAt,
  guardsAt,
  isProtected,
  isSender,
  roleAt,
  stateReadsOf,
} from '../../facts/index.ts'
import { incomingOf, keysOf, witnessStep } from '../../idioms/index.ts'
import {
  bothWays,
  type CallOp,
  type Flow,
  holding,
  isEquality,
  mayOverlap,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly store: StoreOp
  /** What says how much the caller counts, or that they count. */
  readonly holding: Op
  /** The one token that the caller names and owns, if that is what is asked. */
  readonly token: Op | null
}

/** What the sender holds of a token at this moment. */
const isPresentHolding = (op: Op): boolean =>
  op.kind === 'call' &&
  op.call.kind === 'external' &&
  op.call.name === 'balanceOf' &&
  op.args.length === 1 &&
  isSender(op.args[0]!)

/** `require(nft.ownerOf(id) == msg.sender)`, as ERC-721 has it: the caller owns what they name, and can hand it on. */
const ownershipsIn = (_: Flow, { condition, polarity }: Fact): readonly CallOp[] => {
  if (condition.kind !== 'bin' || !isEquality(condition.operator) || (condition.operator === '==') !== polarity)
    return []
  return bothWays(condition).flatMap(([owner, other]) =>
    owner.kind === 'call' && owner.call.kind === 'external' && owner.call.name === 'ownerOf' && isSender(other)
      ? [owner]
      : [],
  )
}

/** Of a count that is kept for each of several matters: one that stands alone counts events, not votes. */
function* ownedAtTheMoment(flow: Flow, store: StoreOp): Iterable<Candidate> {
  if (keysOf(store.location).length === 0) return
  for (const asked of fromFactsAt(flow, store, ownershipsIn)) {
    const token = asked.args.map(stripCasts).find(({ kind }) => kind === 'param')
    if (token !== undefined) yield { flow, store, holding: asked, token }
  }
}

/** Each token counts once, whoever shows it: that it has counted is asked before, and noted. */
const isUsedUp = ({ flow, store, token }: Candidate): boolean => {
  if (token === null) return false
  const asked = guardsAt(flow, store).flatMap(({ condition }) => stateReadsOf(flow, condition))
  return flow.stateStores().some(({ location }) => {
    const keys = keysOf(location)
    if (!keys.includes(token) || keys.some(isSender)) return false
    return asked.some((read) => mayOverlap(read.location, location))
  })
}

/** `votes[id] += balance`: a count that is not the sender's own. */
const isTally = ({ location, args }: StoreOp): boolean => {
  const value = stripCasts(args[0])
  if (value.kind !== 'bin' || value.operator !== '+') return false
  return !keysOf(location).some(isSender)
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
        if (balance !== undefined) yield { flow, store, holding: balance, token: null }
        else yield* ownedAtTheMoment(flow, store)
      }
  },
  excuses: [
    excuse('tokens-locked', 'the tokens are taken in for as long as they count', ({ flow }) =>
      incomingOf(flow).some(({ from }) => isSender(from!)),
    ),
    excuse('noted-for-the-token', 'it is noted for the token that it has counted', isUsedUp),
    // Who owns a token may be asked too, and that is what is not enough.
    excuse('only-roles', 'only holders of a role can do this', ({ flow, store, token }) =>
      token === null ? isProtected(flow, store) : roleAt(flow, store) !== null,
    ),
  ],
  finding: ({ flow, store, holding: asked, token }) => ({
    at: store,
    message:
      token === null
        ? 'What the caller holds at this moment is counted: borrowed tokens count too.'
        : 'Whoever owns the token at this moment is counted, and it is not noted for the token: the next owner counts again.',
    trace: [
      witnessStep(
        flow,
        store,
        token === null
          ? 'with tokens borrowed for one transaction they outvote those who hold theirs'
          : 'they hand the token on to accounts of their own, and each of them counts',
      ),
      { at: { start: asked.start, end: asked.end }, message: 'What is held at present is read here.' },
      ...flow.trace(store),
    ],
  }),
})
