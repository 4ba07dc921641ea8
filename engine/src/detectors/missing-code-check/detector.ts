import { dependsOn, guardsAt, isUntrusted } from '../../facts/index.ts'
import { entriesOf, isSelf, keysOf, tokenCallOf, witnessStep } from '../../idioms/index.ts'
import { type CallOp, type Flow, holding, isComparison, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly op: CallOp
  readonly token: Op
  /** What is credited for tokens that nobody moved. */
  readonly credit: StoreOp
}

/** The low-level call that is told to bring tokens in, of a token that outsiders name. */
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

/** Whether there is code at the address. */
const isCodeAsked = ({ flow, token }: Candidate): boolean =>
  flow
    .ops('builtin')
    .some(({ operator, args }) => codeQuestions.has(operator) && args.some((arg) => stripCasts(arg) === token))

/** `token.balanceOf(…)`: where a function is called by its name, the compiler sees to it that there is code. */
const isCalledByName = ({ flow, token }: Candidate): boolean =>
  flow
    .externalCalls()
    .some(({ call }) => call.kind === 'external' && call.target !== null && stripCasts(call.target) === token)

/** `require(answer.length >= 32)`: an answer is demanded, and where there is no code there is none. */
const isAnswerDemanded = ({ flow, op }: Candidate): boolean => {
  const isLength = (value: Op): boolean => {
    const { kind, location } = stripCasts(value)
    return kind === 'load' && location.part === 'length' && isAnswer(location.parent?.base ?? null, op)
  }
  return flow.ops('assume').some(({ args: [condition] }) => {
    const { kind, operator, args } = stripCasts(condition)
    return kind === 'bin' && isComparison(operator) && args.some(isLength)
  })
}

const isAnswer = (base: Op | null, op: CallOp): boolean => {
  const value = base === null ? null : stripCasts(base)
  return value?.kind === 'extract' && value.args[0] === op
}

/** `require(records[token].isKnown)`: what is kept under its name is asked, also of a copy in memory. */
const isOnRecord = ({ flow, op, token, credit }: Candidate): boolean => {
  const isRecord = (part: Op): boolean => {
    if (part.kind !== 'load' || part.location.space !== 'state' || part.location === credit.location) return false
    const keys = keysOf(part.location)
    return keys.length === 1 && keys[0] === token
  }
  return guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isRecord))
}

export default defineDetector<Candidate>({
  id: 'missing-code-check',
  swc: null,
  title: 'Tokens are credited of a token that need not be there',
  severity: 'high',
  confidence: 'medium',
  description:
    'A low-level call to an address without code succeeds and answers nothing, as tokens do that return no value. Here the caller names the token, and what the call was told to bring in is credited whether or not a token stands at that address.',
  recommendation:
    'Demand `token.code.length > 0` before the call, as `SafeERC20` does, or take only tokens that a role has listed.',
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
    excuse('code-asked', 'whether there is code at the address is asked', isCodeAsked),
    excuse(
      'called-by-name',
      'a function of it is called by name, which reverts where there is no code',
      isCalledByName,
    ),
    excuse('on-record', 'what is kept under its name is asked before', isOnRecord),
    excuse('answer-demanded', 'how much it answers is demanded', isAnswerDemanded),
  ],
  finding: ({ flow, op, credit }) => ({
    at: op,
    message: 'Where there is no code this call succeeds and moves nothing, and the amount is credited all the same.',
    trace: [
      witnessStep(
        flow,
        op,
        'they are credited before a token is put there, and paid from what others bring in once there is one',
      ),
      ...flow.trace(op),
      { at: credit, message: 'It is credited here.' },
    ],
  }),
})
