import { dependsOn, findDependency, guardsAt, isProtected, isSender, Source, taintOf } from '../../facts/index.ts'
import { isHash, keysOf, witnessStep } from '../../idioms/index.ts'
import {
  type CallOp,
  type Flow,
  holding,
  type LoadOp,
  type Op,
  type StoreOp,
  sameValue,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Commitment {
  readonly flow: Flow
  /** The hash of what the caller reveals. */
  readonly hash: Op
  /** What revealing it is good for. */
  readonly call: CallOp
  /** Who gets that: the sender, or whom the sender names. */
  readonly favoured: readonly Op[]
}

const favouredBy = ({ args }: CallOp): Op[] =>
  args.map(stripCasts).filter((arg) => isSender(arg) || isAddressParam(arg))

const isAddressParam = (op: Op): boolean =>
  op.kind === 'param' && op.decl?.kind === 'variable' && op.decl.type.kind === 'address'

const isLookup = (op: Op): op is LoadOp => op.kind === 'load' && op.location.index !== null

/** The hash of what the caller reveals, under which the time of an earlier commitment is noted. */
const commitmentAt = (flow: Flow, at: Op): Op | null => {
  for (const { condition } of guardsAt(flow, at)) {
    const note = findDependency(flow, condition, isLookup)
    const hash = note === undefined ? null : stripCasts(note.location.index!)
    const variable = note?.location?.variable ?? null
    if (hash === null || variable === null || !isHash(hash) || (taintOf(flow, hash) & Source.param) === 0) continue
    if (flow.contractFlow.writersOf(variable).some((write) => isNotedTime(write.flow, write.op))) return hash
  }
  return null
}

/**
 * `commitments[c] = block.timestamp`, by anyone: the moment itself, not a record that has one, nor the hash of such a record. Under a hash
 * that is worked out there nothing is kept secret: what is hashed came with the call.
 */
const isNotedTime = (flow: Flow, store: StoreOp): boolean =>
  store.location.part === 'index' &&
  !keysOf(store.location).some((key) => isHash(stripCasts(key))) &&
  stripCasts(store.args[0]).kind !== 'make' &&
  !isHash(stripCasts(store.args[0])) &&
  flow.isEntryPoint &&
  (taintOf(flow, store.args[0]) & Source.time) !== 0 &&
  !isProtected(flow, store)

/** The one who gains is part of the hash. */
const containsBeneficiary = ({ flow, hash, favoured }: Commitment): boolean =>
  favoured.some((who) => dependsOn(flow, hash, (op) => op === who || sameValue(op, who)))

export default defineDetector<Commitment>({
  id: 'unbound-commitment',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'Commitment not bound to the sender',
  aliases: { scwe: ['SCWE-037'], words: ['commit reveal', 'front-running', 'reveal theft'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'A committed secret is revealed later, but the hash contains neither the sender nor the beneficiary. An attacker copies the reveal from the mempool and submits it first for themselves.',
  recommendation: 'Include `msg.sender` or the beneficiary in the hash.',
  references: [
    'https://swcregistry.io/docs/SWC-114',
    'https://docs.soliditylang.org/en/latest/security-considerations.html',
  ],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [holding.builtin],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      if (flow.has('builtin'))
        for (const call of flow.ops('call')) {
          const favoured = call.call.inlined || call.call.isStatic ? [] : favouredBy(call)
          const hash = favoured.length === 0 ? null : commitmentAt(flow, call)
          if (hash !== null) yield { flow, hash, call, favoured }
        }
  },

  excuses: [excuse('contains-beneficiary', 'the hash contains the beneficiary', containsBeneficiary)],

  finding: ({ flow, hash, call }) => ({
    at: hash,
    message: `The hash that \`${flow.name}()\` checks contains no sender, so an attacker can copy a pending reveal from the mempool, submit it first and take its reward.`,
    trace: [
      witnessStep(flow, hash, 'copies the pending reveal to take its reward'),
      { at: call, message: 'The reveal is rewarded here.' },
    ],
  }),
})
