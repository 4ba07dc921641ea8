import { authorityAt, dependsOn, guardsAt, isSender, Source, taintOf } from '../../facts/index.ts'
import { callsToken, isSelf, tokenCalls, witnessStep } from '../../idioms/index.ts'
import { type Flow, type LoadOp, type Location, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly from: Op
}

/** Named by the caller, by itself or as a key of what is looked up. */
const isChosen = (flow: Flow, from: Op): boolean =>
  from.kind === 'param' || (from.kind === 'load' && (taintOf(flow, from) & Source.param) !== 0)

/** A record that belongs to the owner, or to the owner and the caller together. */
const isRecordOf = ({ location }: LoadOp | StoreOp, from: Op): boolean => {
  let sender = false
  let owner = false
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.index === null) continue
    sender ||= isSender(at.index)
    owner ||= stripCasts(at.index) === from
  }
  return owner && (sender || location.depth === 1)
}

/** That a low-level call went through proves nothing: what a contract does not know it may swallow. */
const isLowLevelOutcome = (condition: Op): boolean => {
  const op = stripCasts(condition)
  return (op.kind === 'extract' ? op.args[0] : op).call?.kind === 'lowlevel'
}

export default defineDetector<Candidate>({
  id: 'arbitrary-transfer-from',
  swc: null,
  title: 'Anyone can move tokens that others have approved',
  severity: 'high',
  confidence: 'medium',
  description:
    'The caller chooses whose tokens `transferFrom` takes. Everybody who has approved this contract can be robbed by a stranger who names them as the source.',
  recommendation:
    'Take tokens from `msg.sender` only, or demand an allowance or a signature of the owner for this caller before moving them.',
  references: ['https://github.com/crytic/slither/wiki/Detector-Documentation#arbitrary-from-in-transferfrom'],
  cwe: ['CWE-862'],
  yieldsTo: ['unprotected-ether-withdrawal'],

  needs: [callsToken],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op, from: owner } of tokenCalls(flow)) {
        if (owner === null || (op.call.target !== null && isSelf(op.call.target))) continue
        const from = stripCasts(owner)
        if (isChosen(flow, from) && !isSender(from) && !isSelf(from)) yield { flow, op, from }
      }
  },

  excuses: [
    excuse('known-callers', 'it takes a role, a consent or the owner of a record to get there', ({ flow, op }) => {
      const authority = authorityAt(flow, op)
      return authority !== null && authority !== 'later'
    }),
    excuse(
      'condition-about-owner',
      'a condition on the way speaks of the owner: an approval, a signature, an equality',
      ({ flow, op, from }) =>
        guardsAt(flow, op).some(
          ({ condition }) =>
            !isLowLevelOutcome(condition) &&
            dependsOn(flow, condition, (part) => stripCasts(part) === from, { keys: true }),
        ),
    ),
    excuse('record-of-owner', 'what is on record between owner and caller is read or written', ({ flow, from }) =>
      [...flow.stateStores(), ...flow.stateLoads()].some((place) => isRecordOf(place, from)),
    ),
  ],

  finding: ({ flow, op }) => ({
    at: op,
    message: `The caller of \`${flow.name}\` chooses whose tokens are taken here.`,
    trace: [witnessStep(flow, op, 'whoever has approved the contract loses their tokens'), ...flow.trace(op)],
    grounds: { hasWitness: guardsAt(flow, op).length === 0 },
  }),
})
