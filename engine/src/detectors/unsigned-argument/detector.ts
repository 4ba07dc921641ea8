import {
  type Argument,
  argumentsIn,
  canOverflow,
  isCallerChecked,
  isCallersNumber,
  isSender,
  nameOfArgument,
  recoversSigner,
} from '../../facts/index.ts'
import {
  entriesOf,
  etherOfUsers,
  isHash,
  isMessageValue,
  isOwnEther,
  messageHash,
  type Payment,
  paymentsOf,
  provenStep,
} from '../../idioms/index.ts'
import { alternativesOf, type Flow, type Op, sameValue, sameValueOrPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'
import {
  type Authorization,
  authorizationsAt,
  coveredBy,
  isCovered,
  isGivenByCaller,
  isUnreadable,
  namesSender,
} from './authorizations.ts'
import { isChecked } from './checks.ts'
import { type Decision, decisionsIn } from './effects.ts'

interface Candidate extends Decision {
  readonly flow: Flow
  readonly authorizations: readonly Authorization[]
  readonly covered: readonly Argument[]
  readonly argument: Argument
}

const holdsHash = (flow: Flow): boolean => flow.ops('builtin').some(isHash)

/** Every argument that decides an effect, and is neither signed nor proven. */
function* unboundIn(flow: Flow): Generator<Candidate, void, boolean> {
  for (const decision of decisionsIn(flow)) {
    const said = argumentsIn(flow, decision.value, 'keys').filter(({ path }) => !path.endsWith('.length'))
    const authorizations = said.length === 0 ? [] : authorizationsAt(flow, decision.effect)
    if (authorizations.length === 0 || authorizations.some((one) => isGivenByCaller(flow, one))) continue
    const covered = coveredBy(flow, authorizations)
    for (const argument of said)
      if (!isCovered(argument, covered)) yield { ...decision, flow, authorizations, covered, argument }
  }
}

/** By more than the signature or proof itself. */
const isGuarded = ({ flow, authorizations, effect }: Candidate): boolean => {
  const own = new Set(authorizations.flatMap(({ op, parts }) => [op, ...parts]))
  return isCallerChecked(flow, effect, ({ against, op }) => against !== 'signature' && !own.has(op))
}

/** The one who is named in the message chooses where it goes; how much is what the signer or the root says. */
const isSubmittersChoice = ({ flow, authorizations, effect, value, role, payment }: Candidate): boolean => {
  if (!authorizations.some((one) => namesSender(flow, one, effect))) return false
  if (role !== 'amount' || !isCallersNumber(flow, value)) return true
  if (payment !== null && payment.from !== null) return true
  return entriesOf(flow).some(({ isRaised, amount }) => !isRaised && sameValue(amount, value)) || paysFor(flow)
}

/** The caller brings ether or tokens. */
const paysFor = (flow: Flow): boolean =>
  flow.usesEnvironment('msg.value') || paymentsOf(flow).some(({ from }) => from !== null && isSender(from))

/** The submitter pays for it: whom they give it to is their affair, and so is what nobody else has a part in. */
const isSubmittersMoney = ({ flow, role, payment, argument }: Candidate): boolean => {
  if (payment?.asset === 'ether' && isFromEtherSent(flow, payment)) return true
  if (role === 'recipient') return paysFor(flow)
  if (payment === null || payment.from === null || !isSender(payment.from)) return false
  const others = paymentsOf(flow).filter(({ from }) => from === null || !isSender(from))
  if (others.length === 0) return true
  return (
    role === 'amount' &&
    others.some(({ amount }) =>
      argumentsIn(flow, amount, 'data').some(({ param, path }) => param === argument.param && path === argument.path),
    )
  )
}

/** `rest = msg.value - fee`, checked, or all that the contract holds goes in the end and nobody leaves ether there: what is paid is part of what the caller sent. */
const isFromEtherSent = (flow: Flow, { op, amount }: Payment): boolean =>
  isLeftOfEtherSent(flow, amount) ||
  flow.ops('bin').some((rest) => sameValueOrPlace(rest.args[1], amount) && isLeftOfEtherSent(flow, rest)) ||
  (flow.isPayable &&
    etherOfUsers(flow) === null &&
    paymentsOf(flow).some(
      (rest) =>
        rest.asset === 'ether' &&
        isOwnEther(stripCasts(rest.amount)) &&
        (rest.op === op || flow.canFollow(op, rest.op)),
    ))

/** The value of the call, and what is left of it after numbers are taken off. */
const isLeftOfEtherSent = (flow: Flow, value: Op, seen: readonly Op[] = []): boolean => {
  const op = stripCasts(value)
  if (isMessageValue(op) || seen.includes(op)) return true
  if (op.kind === 'bin')
    return op.operator === '-' && isLeftOfEtherSent(flow, op.args[0], [...seen, op]) && !canOverflow(flow, op)
  const choices = alternativesOf(op)
  return choices.length > 0 && choices.every((choice) => isLeftOfEtherSent(flow, choice, [...seen, op]))
}

const acts = { signature: 'signature', proof: 'Merkle proof' }

export default defineDetector<Candidate>({
  id: 'unsigned-argument',
  swc: null,
  title: 'Argument not bound by the signature or proof',
  aliases: {
    owasp: ['SC03:2025'],
    scwe: ['SCWE-056'],
    words: [
      'missing field in signed hash',
      'unsigned parameter',
      'front-run signature',
      'Merkle leaf',
      'EIP-712 struct hash',
    ],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A signature or a Merkle proof lets a call through, but an argument that decides where assets go, or how much, is not part of the signed message or the proven leaf. Anyone who sees the signature or proof submits it with another value.',
  recommendation:
    'Put every argument that the function acts on into the signed message or the leaf, or check it against state, `msg.sender` or a signed limit.',
  references: ['https://eips.ethereum.org/EIPS/eip-712#security-considerations'],
  cwe: ['CWE-345'],
  yieldsTo: [
    'missing-signature-check',
    'arbitrary-transfer-from',
    'delegatecall-to-untrusted-callee',
    'arbitrary-call',
  ],

  needs: [(flow) => recoversSigner(flow) || holdsHash(flow)],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) yield* unboundIn(flow)
  },

  excuses: [
    excuse(
      'checked',
      'the argument is checked against state, the caller, a signed value or another contract',
      (candidate) => isChecked(candidate.flow, candidate.argument, candidate.effect, candidate.covered),
    ),
    excuse('guarded', 'the caller is checked too', isGuarded),
    excuse('names-the-sender', 'the message or leaf names the caller, who chooses the argument', isSubmittersChoice),
    excuse('submitter-pays', 'the caller pays for what the argument decides', isSubmittersMoney),
    excuse('partly-unknown', 'missing code or assembly builds part of the message', ({ flow, authorizations }) =>
      authorizations.some((one) => isUnreadable(flow, one)),
    ),
  ],

  finding: ({ flow, authorizations, argument, effect, words, role }) => {
    const [authorization] = authorizations as [Authorization, ...Authorization[]]
    const { kind, op, digest } = authorization
    const hash = argument.path === '' || digest === null ? null : messageHash(flow, digest, argument.param)
    return {
      at: hash ?? flow.inEntry(effect),
      cause: hash ?? op,
      ...(role === 'other' ? { severity: 'medium' as const } : {}),
      factors: { counterEvidence: role === 'other' ? ['only a record is written'] : [] },
      message: `\`${nameOfArgument(argument)}\` decides ${words} in \`${flow.name}()\`, but the ${acts[kind]} does not cover it, so anyone who sees it can submit it with another value.`,
      trace: [
        provenStep(flow, effect, `chooses \`${nameOfArgument(argument)}\` for a ${acts[kind]} of another account`),
        { at: op, message: `The ${acts[kind]} is accepted here.` },
        { at: effect, message: `\`${nameOfArgument(argument)}\` decides ${words}.` },
      ],
    }
  },
})
