import { dependsOn, guardsAt, isUntrusted } from '../../facts/index.ts'
import { entriesOf, isSelf, keysOf, tokenCallOf, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly token: Op
  /** What is credited for tokens that nobody moved. */
  readonly credit: StoreOp
}

/** The low-level call that is instructed to bring tokens in, of a token that outsiders name. */
function* pullsOf(flow: Flow): Iterable<{ op: CallOp; token: Op }> {
  for (const op of flow.externalCalls()) {
    const pull = op.call.kind === 'lowlevel' ? tokenCallOf(op) : null
    if (pull === null || pull.from === null || pull.token === null || !isSelf(pull.to)) continue
    const token = stripCasts(pull.token)
    if (isUntrusted(flow, token, op)) yield { op, token }
  }
}

/** An entry for this very token. */
const creditFor = (flow: Flow, token: Op): StoreOp | undefined =>
  entriesOf(flow).find(({ op, isRaised }) => isRaised && keysOf(op.location).includes(token))?.op

const codeQuestions: ReadonlySet<string> = new Set(['code', 'codehash', 'extcodesize', 'extcodehash'])

/** Whether there is code at the address decides something. */
const isCodeChecked = (flow: Flow, token: Op): boolean => {
  const isQuestion = ({ kind, operator, args }: Op): boolean =>
    kind === 'builtin' && codeQuestions.has(operator) && args.some((arg) => stripCasts(arg) === token)
  if (!flow.ops('builtin').some(isQuestion)) return false
  const demands = flow.ops('assume').map(({ args }) => args[0])
  return [...demands, ...flow.blocks.map(({ condition }) => condition)].some(
    (condition) => condition !== null && dependsOn(flow, condition, isQuestion),
  )
}

/** `token.balanceOf(…)`: where a function is called by its name, on every path, the compiler sees to it that there is code. */
const isCalledByName = (flow: Flow, op: Op, token: Op): boolean =>
  flow
    .externalCalls()
    .some(
      (other) =>
        other.call.kind === 'external' &&
        other.call.target !== null &&
        stripCasts(other.call.target) === token &&
        (flow.dominates(other, op) || flow.isFollowedBy(op, other) || isCalledFirst(flow, op, token, other)),
    )

/** `require(total[token] > 0 || token.totalSupply() > 0)`: demanded as long as nothing is on record for it. */
const isCalledFirst = (flow: Flow, op: Op, token: Op, question: Op): boolean => {
  const isRecord = (part: Op): boolean =>
    part.kind === 'load' && part.location.space === 'state' && keysOf(part.location).includes(token)
  return (
    guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, (part) => part === question)) &&
    guardsAt(flow, question).some(({ condition }) => dependsOn(flow, condition, isRecord))
  )
}

export default defineDetector<Candidate>({
  id: 'missing-code-check',
  swc: null,
  title: 'Missing contract-existence check on token',
  aliases: {
    slither: ['low-level-calls'],
    owasp: ['SC06:2025', 'SC04:2025'],
    words: ['missing contract existence check', 'phantom token', 'safeTransferLib', 'QBridge'],
  },
  severity: 'high',
  confidence: 'medium',
  description:
    'A low-level call to an address without code succeeds and returns nothing, like tokens that return no value. The caller names the token, so a deposit is credited even if no token exists at that address.',
  recommendation:
    'Require `token.code.length > 0` before the call, as OpenZeppelin’s `SafeERC20` does, or accept only allowlisted tokens.',
  references: [
    'https://docs.soliditylang.org/en/latest/units-and-global-variables.html#members-of-address-types',
    'https://cwe.mitre.org/data/definitions/252.html',
  ],
  cwe: ['CWE-754'],

  needs: [holding.lowLevelCall, holding.entryWrite],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op, token } of pullsOf(flow)) {
        const credit = creditFor(flow, token)
        if (credit !== undefined) yield { flow, op, token, credit }
      }
  },
  excuses: [
    excuse('code-size-checked', 'the code size of the address is checked', ({ flow, token }) =>
      isCodeChecked(flow, token),
    ),
    excuse(
      'called-by-name',
      'a function of it is called through an interface, which reverts without code',
      ({ flow, op, token }) => isCalledByName(flow, op, token),
    ),
  ],
  finding: ({ flow, op, credit }) => ({
    at: op,
    message: `\`${flow.name}()\` pulls a token that the caller names by a low-level call, which succeeds even if the address has no code: an attacker is credited \`${flow.describe(credit.location)}\` without paying.`,
    trace: [
      witnessStep(flow, op, 'is credited although no tokens arrived'),
      ...flow.trace(op),
      { at: credit, message: 'The deposit is credited here.' },
    ],
  }),
})
