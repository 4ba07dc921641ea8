import {
  dependsOn,
  parametersIn,
  parametersOf,
  type Recovery,
  recoveriesOf,
  recoversSigner,
} from '../../facts/index.ts'
import { keysOf } from '../../idioms/index.ts'
import { type Flow, type LoadOp, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  /** State that is set under the signature is looked up here, under this key. */
  readonly load: LoadOp
  readonly key: Op
}

/** Parameters that are nothing but signature: the signed message does not hold them. */
const signatureParameters = (flow: Flow, { digest, signature }: Recovery): Set<Op> => {
  const signed = parametersOf(flow, [digest])
  const found = parametersOf(flow, signature)
  for (const param of signed) found.delete(param)
  return found
}

/** Keys that are a signature, or made of one; that of the account that signed is another matter. */
function* signaturesIn(flow: Flow, keys: readonly Op[]): Iterable<Op> {
  const left = new Set(keys)
  for (const { op, params } of flow.answer(signatures)) {
    if (left.size === 0) return
    const key = keys.find((index) => isMadeOf(flow, index, params))
    if (key === undefined || !left.has(key) || dependsOn(flow, key, (part) => part === op)) continue
    left.delete(key)
    yield key
  }
}

/** The signature or its hash; what was decoded from an argument that holds the signature too is another part of it. */
const isMadeOf = (flow: Flow, value: Op, params: ReadonlySet<Op>): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'builtin') return op.args.some((arg) => isMadeOf(flow, arg, params))
  return isPlain(flow, op) && [...parametersIn(flow, op)].some((param) => params.has(param))
}

/** One word or bytes; of a struct or a list that comes in with the call any field may be meant. */
const isPlain = (flow: Flow, op: Op): boolean =>
  op.kind === 'param' && ['bytes', 'fixedBytes', 'int'].includes(flow.typeOf(op)?.kind ?? '')

interface Signature {
  readonly op: Op
  readonly params: ReadonlySet<Op>
}

const signatures = (flow: Flow): readonly Signature[] =>
  recoveriesOf(flow).flatMap((recovery) => {
    const params = signatureParameters(flow, recovery)
    return params.size === 0 ? [] : [{ op: recovery.op, params }]
  })

export default defineDetector<Candidate>({
  id: 'signature-malleability',
  swc: 'SWC-117',
  title: 'Signature malleability',
  aliases: { aderyn: ['ecrecover'], scwe: ['SCWE-054'], words: ['ecdsa', 's value', 'signature hash as nonce'] },
  severity: 'medium',
  confidence: 'high',
  description:
    'From a valid ECDSA signature anyone can compute a second valid one for the same message. Recording used signatures does not block the second one.',
  recommendation:
    'Mark the signed message (its hash with a nonce) as used, not the signature, and reject a high `s` (OpenZeppelin `ECDSA`).',
  references: ['https://swcregistry.io/docs/SWC-117', 'https://eips.ethereum.org/EIPS/eip-2'],
  cwe: ['CWE-347'],

  // State that is looked up under the signature itself and set under it: meant to let it be used once.
  needs: [recoversSigner],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      const stored = new Set(flow.stateStores().map(({ location }) => location.variable))
      for (const load of flow.stateLoads())
        if (load.location.variable !== null && stored.has(load.location.variable))
          for (const key of signaturesIn(flow, keysOf(load.location))) yield { flow, load, key }
    }
  },

  finding: ({ flow, load, key }) => ({
    at: key.kind === 'builtin' ? key : load,
    message: `\`${flow.name}()\` records the signature itself as used. Anyone can derive a second valid one for the same message (r, n - s, flipped v) and so replay what the signer allowed once.`,
    trace: [{ at: load, message: 'The signature is looked up here.' }],
  }),
})
