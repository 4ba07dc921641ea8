import { dependsOn } from '../../facts/index.ts'
import { type Flow, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** The chain or this contract's address: what keeps a signature from being used elsewhere. */
const isDomain = (op: Op): boolean =>
  (op.kind === 'env' && (op.operator === 'block.chainid' || op.operator === 'this')) ||
  (op.kind === 'builtin' && op.operator === 'chainid') ||
  op.kind === 'unknown' ||
  op.kind === 'opaque'

const isCall = (op: Op): boolean => op.kind === 'call' && !op.call!.inlined

/** The message is put together here, from more than a hash that somebody passed in. */
const isBuiltHere = (flow: Flow, digest: Op): boolean => {
  const op = stripCasts(digest)
  if (op.kind !== 'builtin' || !op.operator.startsWith('keccak')) return false
  return dependsOn(flow, op, (part) => part.kind === 'param' && flow.typeOf(part)?.kind !== 'fixedBytes')
}

const findSignatures = (flow: Flow, hits: Hit[]): void => {
  for (const op of flow.builtins('ecrecover')) {
    const digest = op.args[0]
    if (!digest || !isBuiltHere(flow, digest)) continue
    if (dependsOn(flow, digest, (part) => isDomain(part) || isCall(part), { storage: true })) continue
    hits.push({
      at: op,
      message:
        'The signed message names neither the chain nor this contract, so the signature is valid on every copy of it.',
      trace: flow.trace(op),
    })
  }
}

export default defineDetector({
  id: 'signature-without-domain',
  swc: null,
  title: 'Signature is valid on other chains and contracts',
  severity: 'medium',
  confidence: 'medium',
  description:
    'The message that is signed does not contain the chain id or the address of the contract. A signature given for one deployment can be used on every other one.',
  recommendation: 'Sign typed data with a domain separator (EIP-712) that holds the chain id and `address(this)`.',
  references: ['https://eips.ethereum.org/EIPS/eip-712'],
  cwe: ['CWE-294'],
  yieldsTo: ['signature-replay'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints) findSignatures(flow, hits)
    return oncePerPlace(hits)
  },
})
