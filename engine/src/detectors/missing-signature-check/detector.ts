import {
  comparisonsOf,
  dependsOn,
  parametersOf,
  type Recovery,
  recoveriesOf,
  resultUse,
  Source,
  senderGuardsAt,
  taintOf,
} from '../../facts/index.ts'
import { type Context, type Flow, type Location, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** The hash as the caller handed it in, at most with the usual prefix in front. */
const isHandedIn = (digest: Op): boolean => {
  const op = stripCasts(digest)
  if (op.kind === 'param') return true
  if (op.kind !== 'builtin' || !(op.operator.startsWith('keccak') || op.operator.startsWith('abi.'))) return false
  const parts = op.args.filter((arg) => stripCasts(arg).kind !== 'const' && arg.kind !== 'make')
  return parts.length === 1 && isHandedIn(parts[0]!)
}

/** What happens after the check is decided by parameters that nobody signed. */
const unsignedEffect = (flow: Flow, { op, digest, signature }: Recovery): Op | undefined => {
  const covered = new Set([...parametersOf(flow, [digest]), ...parametersOf(flow, signature)])
  const isUnsigned = (part: Op): boolean => part.kind === 'param' && !covered.has(part)
  const sends = flow.sends().flatMap(
    (send) =>
      [
        [send, send.call!.target],
        [send, send.call!.value],
      ] as const,
  )
  const stores = flow.stateStores().map((store) => [store, store.args[0]!] as const)
  const found = [...sends, ...stores].find(
    ([effect, value]) =>
      value !== null &&
      flow.canFollow(op, effect) &&
      (taintOf(flow, value) & Source.param) !== 0 &&
      dependsOn(flow, value, isUnsigned) &&
      senderGuardsAt(flow, effect).every(({ against }) => against === 'signature'),
  )
  return found?.[0]
}

const findUnverified = (context: Context): Hit[] => {
  const hits: Hit[] = []
  for (const flow of context.functions) {
    let isOpenToNobody = false
    for (const recovery of recoveriesOf(flow)) {
      if (resultUse(flow, recovery.op) === 'unused' && flow.branchesOn(recovery.op).length === 0) {
        if (isLookedUp(flow, recovery.op)) continue
        hits.push({
          at: recovery.op,
          message: 'The signer is recovered and compared with nothing.',
          trace: flow.trace(recovery.op),
        })
      } else if (flow.isEntryPoint && acceptsNobody(flow, recovery.op)) {
        if (isOpenToNobody) continue
        isOpenToNobody = true
        hits.push({
          at: recovery.op,
          message:
            'The caller says who must have signed and may say the zero address, which is what a broken signature yields.',
          trace: flow.trace(recovery.op),
        })
      } else if (flow.isEntryPoint && isHandedIn(recovery.digest)) {
        const effect = unsignedEffect(flow, recovery)
        if (effect === undefined) continue
        hits.push({
          at: recovery.op,
          message: 'The caller hands in the hash that was signed, and nothing ties it to what this function does.',
          trace: [{ at: effect, message: 'Decided by parameters that the signature does not cover.' }],
        })
      }
    }
  }
  return hits
}

/** The signer is compared with a parameter alone, and neither of them with zero; then the function acts on it. */
const acceptsNobody = (flow: Flow, signer: Op): boolean => {
  if (signer.operator !== 'ecrecover') return false
  const expected = others(flow, signer)
  if (expected.length === 0 || !expected.every(({ kind }) => kind === 'param')) return false
  if (expected.some((account) => others(flow, account).some(({ kind }) => kind === 'const'))) return false
  return flow
    .stateStores()
    .some(
      (store) =>
        flow.canFollow(signer, store) && senderGuardsAt(flow, store).every(({ against }) => against === 'signature'),
    )
}

const others = (flow: Flow, value: Op): Op[] =>
  comparisonsOf(flow, value).flatMap(({ args }) => args.map(stripCasts).filter((arg) => arg !== value))

/** The signer serves as a key into state: that is a use. */
const isLookedUp = (flow: Flow, signer: Op): boolean =>
  [...flow.stateLoads(), ...flow.stateStores()].some((access) => {
    for (let at: Location | null = access.location; at !== null; at = at.parent)
      if (at.index !== null && dependsOn(flow, at.index, (op) => op === signer)) return true
    return false
  })

export default defineDetector({
  id: 'missing-signature-check',
  swc: 'SWC-122',
  title: 'Signature is not verified properly',
  severity: 'high',
  confidence: 'medium',
  description:
    'A signature is taken, but the signer is not compared with anybody or only with an address that the caller names and that may be zero, or the signed hash comes from the caller and covers nothing of what the function does. Any old signature will do.',
  recommendation:
    'Build the signed message in the contract from everything that the function acts on, and compare the signer with the expected one.',
  references: ['https://swcregistry.io/docs/SWC-122'],
  cwe: ['CWE-345'],

  run: (context) => oncePerPlace(findUnverified(context)),
})
