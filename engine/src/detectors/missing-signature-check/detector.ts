import {
  comparisonsOf,
  dependsOn,
  isCallerChecked,
  parametersOf,
  type Recovery,
  recoveriesOf,
  recoversSigner,
  resultUse,
} from '../../facts/index.ts'
import { provenStep } from '../../idioms/index.ts'
import { type Flow, type Location, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Unverified {
  readonly flow: Flow
  readonly signer: Op
  /** ignored: the signer is not checked. unset: the zero address may be the signer. uncovered: the message does not cover the effect. */
  readonly flaw: 'ignored' | 'unset' | 'uncovered'
  /** What happens on the strength of the signature; null where the signer is not checked. */
  readonly effect: Op | null
}

/** The signer is compared with nothing. */
const isIgnored = (flow: Flow, { op }: Recovery): boolean =>
  resultUse(flow, op) === 'unused' && flow.branchesOn(op).length === 0

/** The signer is compared with parameters alone, and the zero address is what a broken signature yields. */
const isNamedByCaller = (flow: Flow, { op }: Recovery): boolean => {
  const expected = comparedWith(flow, op)
  return expected.length > 0 && expected.every(({ kind }) => kind === 'param')
}

const comparedWith = (flow: Flow, value: Op): Op[] =>
  comparisonsOf(flow, value).flatMap(({ args }) => args.map(stripCasts).filter((arg) => arg !== value))

/** The hash as the caller handed it in, at most with the usual prefix in front. */
const isGivenByCaller = (digest: Op): boolean => {
  const op = stripCasts(digest)
  if (op.kind === 'param') return true
  if (op.kind !== 'builtin') return false
  const parts = op.args.filter((arg) => stripCasts(arg).kind !== 'const' && arg.kind !== 'make')
  return parts.length === 1 && isGivenByCaller(parts[0]!)
}

/** What happens after the check and is decided by unsigned parameters. */
function* unsignedEffects(flow: Flow, { op, digest, signature }: Recovery): Iterable<Op> {
  const covered = new Set([...parametersOf(flow, [digest]), ...parametersOf(flow, signature)])
  const isUnsigned = (value: Op | null): boolean =>
    value !== null && dependsOn(flow, value, (part) => part.kind === 'param' && !covered.has(part))
  for (const send of flow.following(op, flow.sends()))
    if (isUnsigned(send.call.target) || isUnsigned(send.call.value)) yield send
  for (const store of flow.following(op, flow.stateStores())) if (isUnsigned(store.args[0])) yield store
}

/** The signer serves as a key into state: that is a use. */
const isLookedUp = ({ flow, signer }: Unverified): boolean =>
  [...flow.stateLoads(), ...flow.stateStores()].some((access) => {
    for (let at: Location | null = access.location; at !== null; at = at.parent)
      if (at.index !== null && dependsOn(flow, at.index, (op) => op === signer)) return true
    return false
  })

/** Whom the caller names is compared with a constant, as the zero address. */
const isComparedWithConstant = ({ flow, signer }: Unverified): boolean =>
  comparedWith(flow, signer).some((account) => comparedWith(flow, account).some(({ kind }) => kind === 'const'))

const messageOf = ({ flow, flaw, effect }: Pick<Unverified, 'flow' | 'flaw' | 'effect'>): string => {
  const name = `\`${flow.name}()\``
  switch (flaw) {
    case 'ignored':
      return `${name} recovers a signer but compares it with nothing, so anyone passes with any signature, also for another account.`
    case 'unset':
      return `The caller of ${name} passes the expected signer and may pass address(0), which \`ecrecover\` returns for an invalid signature, so anyone passes without a valid signature.`
    case 'uncovered': {
      const decided = effect?.kind === 'store' ? ` decide \`${flow.describe(effect.location)}\`` : ' decide who is paid'
      return `The caller of ${name} passes the signed hash itself, which nothing ties to the parameters that${decided}: anyone can reuse an old signature of the signer with parameters of their choice.`
    }
  }
}

const acts = {
  ignored: 'acts for another account without its signature',
  unset: 'passes address(0) and an invalid signature',
}

/** They are all reported at the signer: the first effect that nothing excuses will do. */
function* untilReported(
  effects: Iterable<Op>,
  toCandidate: (effect: Op) => Unverified,
): Generator<Unverified, void, boolean> {
  for (const effect of effects) if (yield toCandidate(effect)) return
}

export default defineDetector<Unverified>({
  id: 'missing-signature-check',
  swc: 'SWC-122',
  title: 'Missing or incomplete signature verification',
  aliases: {
    owasp: ['SC04:2025'],
    scwe: ['SCWE-019', 'SCWE-056'],
    words: ['signature verification', 'unchecked signer', 'forged signature'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A signature is accepted but the signer is not compared with an expected address, or only with one that the caller names and that may be zero, or the signed hash comes from the caller and does not cover the action. Any old signature passes.',
  recommendation:
    'Build the signed message (EIP-712) in the contract from every value that the function acts on, and compare the signer with the expected one.',
  references: ['https://swcregistry.io/docs/SWC-122'],
  cwe: ['CWE-345'],

  needs: [recoversSigner],
  *candidates({ functions }) {
    for (const flow of functions) {
      // One account that may be zero is one cause, however many calls take its signature.
      const named = flow.isEntryPoint ? recoveriesOf(flow).find((one) => isNamedByCaller(flow, one)) : undefined
      for (const recovery of recoveriesOf(flow)) {
        const signer = recovery.op
        if (isIgnored(flow, recovery)) yield { flow, signer, flaw: 'ignored', effect: null }
        else if (recovery === named)
          yield* untilReported(flow.following(signer, flow.stateStores()), (effect) => ({
            flow,
            signer,
            flaw: 'unset',
            effect,
          }))
        else if (flow.isEntryPoint && isGivenByCaller(recovery.digest))
          yield* untilReported(unsignedEffects(flow, recovery), (effect) => ({
            flow,
            signer,
            flaw: 'uncovered',
            effect,
          }))
      }
    }
  },

  excuses: [
    excuse('looked-up', 'the signer is used as a key into state', (unverified) =>
      unverified.flaw === 'ignored' ? isLookedUp(unverified) : false,
    ),
    excuse('compared-with-zero', 'the signer that the caller names is compared with zero', (unverified) =>
      unverified.flaw === 'unset' ? isComparedWithConstant(unverified) : false,
    ),
    excuse(
      'guarded',
      'the caller is checked before anything happens',
      ({ flow, effect }) => effect !== null && isCallerChecked(flow, effect, ({ against }) => against !== 'signature'),
    ),
  ],

  finding: ({ flow, signer, flaw, effect }) => ({
    at: signer,
    message: messageOf({ flow, flaw, effect }),
    ...(flaw === 'unset'
      ? { recommendation: 'Reject address(0) as the signer, or use OpenZeppelin `ECDSA.recover`, which reverts.' }
      : {}),
    trace:
      flaw === 'uncovered'
        ? [
            provenStep(flow, signer, 'reuses a signature with their own parameters'),
            { at: effect!, message: 'This depends on parameters that the signature does not cover.' },
          ]
        : [provenStep(flow, signer, acts[flaw]), ...flow.trace(signer)],
  }),
})
