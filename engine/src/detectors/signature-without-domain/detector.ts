import { dependsOn, guardsAt, parametersIn, parametersOf, stateReadsOf } from '../../facts/index.ts'
import { isKeyed, keysOf, loweredBy, messageHash, paymentsOf, raisedBy } from '../../idioms/index.ts'
import { bothOrders, type Flow, holding, isEquality, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  readonly digest: Op
}

/** The chain or this contract's address: what keeps a signature from being used elsewhere. */
const isDomain = (op: Op): boolean =>
  (op.kind === 'env' && (op.operator === 'block.chainid' || op.operator === 'this')) ||
  (op.kind === 'builtin' && op.operator === 'chainid')

/** A value that may hold anything, the domain as well. */
const isUnknown = (op: Op): boolean =>
  op.kind === 'unknown' || op.kind === 'opaque' || (op.kind === 'call' && !op.call.inlined)

/** The message is put together here, from more than a hash that someone passed in. */
const isBuiltHere = (flow: Flow, digest: Op): boolean => {
  const op = stripCasts(digest)
  if (op.kind !== 'builtin' || !op.operator.startsWith('keccak')) return false
  return dependsOn(flow, op, (part) => part.kind === 'param' && flow.typeOf(part)?.kind !== 'fixedBytes')
}

/** `require(isDomain[separator])`: nothing can be registered but what holds the chain or the address. */
const isRegistered = ({ flow, op, digest }: Candidate): boolean =>
  guardsAt(flow, op).some(({ condition, polarity }) => {
    const { kind, location } = stripCasts(condition)
    if (!polarity || kind !== 'load' || location.variable === null) return false
    const signed = parametersIn(flow, digest)
    const writers = flow.contractFlow.writersOf(location.variable)
    return (
      keysOf(location).some((key) => signed.has(stripCasts(key))) &&
      writers.length > 0 &&
      writers.every(({ flow: writer, op: store }) =>
        keysOf(store.location).some((key) => dependsOn(writer, key, isDomain, { storage: true })),
      )
    )
  })

/** `require(order.place == place)`: a message for another deployment names the number of that one, if each has its own. */
const isBoundTo = ({ flow, op, digest }: Candidate, kind: 'fixedBytes' | 'int'): boolean => {
  const signed = parametersOf(flow, [digest])
  return guardsAt(flow, op).some(({ condition }) => {
    const test = stripCasts(condition)
    if (test.kind !== 'bin' || !isEquality(test.operator)) return false
    return bothOrders(test).some(
      ([given, stored]) =>
        flow.typeOf(given)?.kind === kind &&
        stored.kind === 'load' &&
        stored.location.space === 'state' &&
        (kind === 'fixedBytes' || !isKeyed(stored.location)) &&
        [...parametersOf(flow, [given])].some((param) => signed.has(param)),
    )
  })
}

/** Assets move, or an entry is counted up or down; what only confirms or reports something may be meant to hold everywhere. */
const movesValue = ({ flow }: Candidate): boolean =>
  paymentsOf(flow).length > 0 ||
  flow.stateStores().some((store) => isKeyed(store.location) && (raisedBy(store) ?? loweredBy(store)) !== null)

/** Where the message is put together, if a helper checks it: that one does what it is given. */
const placeOf = ({ flow, op, digest }: Candidate): Op => {
  const hash = messageHash(flow, digest)
  return flow.writtenIn(hash) === flow.writtenIn(op) ? op : hash
}

/** A stored number may be the chain’s. */
const mayNameChain = ({ flow, digest }: Candidate): boolean =>
  stateReadsOf(flow, digest).some(({ location }) => keysOf(location).length === 0 && location.type?.kind === 'int')

const messageOf = (candidate: Candidate): string => {
  const signed = `The message signed for \`${candidate.flow.name}()\``
  return mayNameChain(candidate)
    ? `${signed} does not contain this contract’s address, so anyone can replay a signature on another deployment that has the same signer.`
    : `${signed} contains neither the chain ID nor this contract’s address, so anyone can replay a signature on another chain or deployment, where the signer did not allow it.`
}

export default defineDetector<Candidate>({
  id: 'signature-without-domain',
  swc: null,
  title: 'Signature without domain (cross-chain replay)',
  aliases: { scwe: ['SCWE-055'], words: ['cross-chain replay', 'domain separator', 'chain id', 'EIP-712'] },
  severity: 'medium',
  confidence: 'medium',
  description:
    'The signed message contains neither the chain ID nor the contract address. A signature for one deployment can be replayed on every other chain and contract.',
  recommendation: 'Sign typed data with an EIP-712 domain separator that contains `block.chainid` and `address(this)`.',
  references: ['https://eips.ethereum.org/EIPS/eip-712'],
  cwe: ['CWE-294'],
  yieldsTo: ['signature-replay'],

  needs: [holding.recovery],
  *candidates({ entryPoints }) {
    // What a library is given to check is put together by the contract that uses it.
    for (const flow of entryPoints)
      for (const op of flow.kind === 'library' ? [] : flow.builtins('ecrecover')) {
        const digest = op.args[0]
        if (digest && isBuiltHere(flow, digest)) yield { flow, op, digest }
      }
  },

  excuses: [
    excuse('names-the-domain', 'the message contains the chain ID or the contract address', ({ flow, digest }) =>
      dependsOn(flow, digest, isDomain, { storage: true }),
    ),
    excuse('bound-to-state', 'part of the message must equal what this contract has stored', (candidate) =>
      isBoundTo(candidate, 'fixedBytes'),
    ),
    excuse(
      'registered-domain',
      'part of the message must be registered, which needs the chain ID or the address',
      isRegistered,
    ),
    excuse('partly-unknown', 'missing code builds part of the message', ({ flow, digest }) =>
      dependsOn(flow, digest, isUnknown, { storage: true }),
    ),
  ],

  finding: (candidate) => ({
    at: placeOf(candidate),
    factors: {
      counterEvidence: [
        ...(movesValue(candidate) ? [] : ['no assets move by the signature']),
        ...(isBoundTo(candidate, 'int') ? ['a signed number must equal one that this deployment stores'] : []),
      ],
    },
    message: messageOf(candidate),
    trace: candidate.flow.trace(candidate.op),
  }),
})
