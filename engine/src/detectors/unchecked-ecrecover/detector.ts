import {
  anyChoice,
  comparisonsOf,
  isProtected,
  isRolePrincipal,
  isSender,
  principalAt,
  runsOnce,
  usesOf,
} from '../../facts/index.ts'
import { isHash, keysOf } from '../../idioms/index.ts'
import {
  type Access,
  type ContractFlow,
  describeValue,
  type Flow,
  holding,
  isZero,
  type LoadOp,
  type Location,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: Op
  /** What the recovered account is compared with. */
  readonly others: readonly Op[]
  /** What is stored under its address, where that is checked. */
  readonly lookup: LoadOp | null
}

const comparisons = new Set(['==', '!=', '>', '<'])
const carriers = new Set(['cast', 'phi', 'select', 'tuple', 'extract'])

/** What the signer is compared with, also through a variable that several paths set. */
const comparedWith = (flow: Flow, signer: Op): Op[] => {
  const others: Op[] = []
  for (const { user, value } of usesOf(flow, signer, ({ kind }) => carriers.has(kind)))
    if (user?.kind === 'bin' && comparisons.has(user.operator))
      others.push(...user.args.filter((arg) => arg !== value).map(stripCasts))
  return others
}

/** `require(rank[signer] != 0)`: what is stored under the signer's address decides. */
const lookupsOf = (flow: Flow, signer: Op): LoadOp[] =>
  flow
    .stateLoads()
    .filter(({ location }) => keysOf(location).some((key) => anyChoice(key, (op) => op === signer)))
    .filter(
      (load) => flow.isCondition(load) || flow.usersOf(load).some(({ kind }) => kind === 'bin' || kind === 'assume'),
    )

/** Nobody puts anything under the zero address: who is entered is the caller, fixed, or tested. */
const isNeverEntered = ({ contractFlow }: Flow, { location }: LoadOp): boolean =>
  location.variable === null ||
  contractFlow.writersTo(location).every(({ flow, op }) => {
    const value = stripCasts(op.args[0])
    if (op.flag || (value.kind === 'const' && value.constant === 0n)) return true
    return keysOf(op.location).some((key) => isSender(key) || key.kind === 'const' || isTestedAgainstZero(flow, key))
  })

/** Only a role enters anyone there: it would have to enter the zero address itself. */
const isEnteredByRole = ({ contractFlow }: Flow, { location }: LoadOp): boolean =>
  location.variable !== null &&
  contractFlow.writersOf(location.variable).every(({ flow, op }) => flow.isConstructor || isProtected(flow, op))

/** It is set at deployment, and after that by a role alone: either would have to choose the zero address. */
const isSetByRole = ({ contractFlow }: Flow, { kind, location }: Op): boolean =>
  kind === 'load' && location.variable !== null && contractFlow.answerAt(location, isOnlyReplacedByRole)

const isOnlyReplacedByRole = (contractFlow: ContractFlow, place: Location): boolean => {
  const writers = contractFlow.writersTo(place)
  const isDeployment = ({ flow, op }: Access<'store'>): boolean => flow.isConstructor || runsOnce(flow, op)
  return (
    writers.some(isDeployment) &&
    writers.every((write) => isDeployment(write) || isRolePrincipal(principalAt(write.flow, write.op)))
  )
}

/** Kept: one account may be what many signers are compared with. */
const isTestedAgainstZero = (flow: Flow, value: Op): boolean =>
  flow.remember(isTestedAgainstZero, value, () => comparisonsOf(flow, value).some(({ args }) => args.some(isZero)))

/** The constructor and every function that sets it refuse the zero address. */
const isAlwaysSet = (contractFlow: ContractFlow, variable: VariableModel): boolean => {
  const writers = contractFlow.writersOf(variable)
  return (
    writers.some(({ flow }) => flow.isConstructor) &&
    writers.every(({ flow, op }) => isSender(op.args[0]) || isTestedAgainstZero(flow, stripCasts(op.args[0])))
  )
}

/** State is zero until it is set. What another function or contract brings may never be zero, and who passes it acts for nobody. */
const canBeZero = ({ isEntryPoint, contractFlow }: Flow, { kind, location }: Op): boolean =>
  isEntryPoint &&
  kind === 'load' &&
  location?.space !== 'memory' &&
  !(location?.variable && location.part === 'root' && isAlwaysSet(contractFlow, location.variable))

const counterEvidenceOf = (flow: Flow, others: readonly Op[], lookup: LoadOp | null): string[] => {
  if (flow.kind === 'library') return ['the contract that uses the library decides who can sign']
  if (lookup !== null) return isEnteredByRole(flow, lookup) ? ['only a privileged account registers signers'] : []
  const unset = others.filter((other) => canBeZero(flow, other))
  if (unset.length > 0 && unset.every((other) => isSetByRole(flow, other)))
    return ['the signer is set at deployment and replaced by a privileged account only']
  return unset.length > 0 ? [] : ['the expected signer comes from elsewhere']
}

const expectedOf = (flow: Flow, other: Op): string => {
  const name = describeValue(flow.model, other)
  if (flow.isEntryPoint && other.kind === 'param' && name !== '…')
    return `The caller of \`${flow.name}()\` can pass address(0) as \`${name}\`, so that any invalid signature counts as signed by it.`
  return `If ${name === '…' ? 'the expected signer' : `\`${name}\``} is address(0), any invalid signature is accepted in \`${flow.name}()\`.`
}

export default defineDetector<Candidate>({
  id: 'unchecked-ecrecover',
  swc: null,
  title: 'ecrecover zero address accepted as signer',
  aliases: {
    aderyn: ['ecrecover'],
    owasp: ['SC04:2025'],
    scwe: ['SCWE-056'],
    words: ['ecrecover', 'invalid signature', 'zero signer'],
  },
  severity: 'medium',
  confidence: 'medium',
  description:
    '`ecrecover` returns the zero address for an invalid signature instead of reverting. If the expected signer is unset, any invalid signature is accepted.',
  recommendation: 'Reject the zero address, or use OpenZeppelin `ECDSA`, which does.',
  references: [
    'https://docs.soliditylang.org/en/latest/units-and-global-variables.html#mathematical-and-cryptographic-functions',
  ],
  cwe: ['CWE-347'],
  yieldsTo: ['signature-malleability', 'missing-signature-check'],
  isPerFunction: true,

  needs: [holding.recovery],
  *candidates({ functions }) {
    for (const flow of functions)
      for (const op of flow.builtins('ecrecover')) {
        const others = comparedWith(flow, op)
        if (others.length > 0) yield { flow, op, others, lookup: null }
        else for (const lookup of lookupsOf(flow, op)) yield { flow, op, others, lookup }
      }
  },

  excuses: [
    excuse('fixed-or-sender', 'it is compared with the sender, a hash, a fixed address or zero itself', ({ others }) =>
      others.some((other) => isSender(other) || isHash(other) || (other.kind === 'const' && other.constant !== null)),
    ),
    excuse('other-not-zero', 'the expected signer is checked against zero', ({ flow, others }) =>
      others.some((other) => isTestedAgainstZero(flow, other)),
    ),
    excuse(
      'never-entered',
      'nothing can be stored under the zero address',
      ({ flow, lookup }) => lookup !== null && isNeverEntered(flow, lookup),
    ),
  ],

  finding: ({ flow, op, others, lookup }) => ({
    at: lookup ?? op,
    factors: { counterEvidence: counterEvidenceOf(flow, others, lookup) },
    message:
      lookup === null
        ? `\`ecrecover\` returns address(0) for an invalid signature. ${expectedOf(flow, others.find((other) => canBeZero(flow, other)) ?? others[0]!)}`
        : `\`ecrecover\` returns address(0) for an invalid signature, and \`${flow.describe(lookup.location)}\` is read here as if address(0) had signed.`,
    trace: flow.trace(op),
  }),
})
