import { dependsOn, parametersOf, type Recovery, recoveriesOf } from '../../facts/index.ts'
import { type Flow, type Location, type Op, oncePerPlace } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const keysOf = (location: Location): Op[] => {
  const keys: Op[] = []
  for (let at: Location | null = location; at !== null; at = at.parent) if (at.index !== null) keys.push(at.index)
  return keys
}

/** Parameters that are nothing but signature: the signed message does not hold them. */
const signatureParameters = (flow: Flow, { digest, signature }: Recovery): Set<Op> => {
  const signed = parametersOf(flow, [digest])
  const found = parametersOf(flow, signature)
  for (const param of signed) found.delete(param)
  return found
}

/** State that is looked up under the signature itself and set under it: meant to let it be used once. */
const findMarks = (flow: Flow, recovery: Recovery, hits: Hit[]): void => {
  const params = signatureParameters(flow, recovery)
  if (params.size === 0) return
  const stored = new Set(flow.stateStores().map(({ location }) => location!.variable))
  for (const load of flow.stateLoads()) {
    if (load.location!.variable === null || !stored.has(load.location!.variable)) continue
    const key = keysOf(load.location!).find((index) => dependsOn(flow, index, (op) => params.has(op)))
    if (key === undefined || key === recovery.op || dependsOn(flow, key, (op) => op === recovery.op)) continue
    hits.push({
      at: key.kind === 'builtin' ? key : load,
      message: 'The signature itself marks the message as used, but one message has several valid signatures.',
      trace: [{ at: load, message: 'Looked up here.' }],
    })
  }
}

export default defineDetector({
  id: 'signature-malleability',
  swc: 'SWC-117',
  title: 'Replay protection keyed by a malleable signature',
  severity: 'medium',
  confidence: 'high',
  description:
    'From a valid signature anybody can compute a second valid one for the same message. A record of used signatures does not stop the second.',
  recommendation: 'Mark the signed message (its hash with a nonce) as used, never the signature.',
  references: ['https://swcregistry.io/docs/SWC-117', 'https://eips.ethereum.org/EIPS/eip-2'],
  cwe: ['CWE-347'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.entryPoints) for (const recovery of recoveriesOf(flow)) findMarks(flow, recovery, hits)
    return oncePerPlace(hits)
  },
})
