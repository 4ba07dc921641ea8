import {
  chosenByCaller,
  dependsOn,
  findDependency,
  isSender,
  parametersIn,
  Source,
  stateReadsOf,
  taintOf,
} from '../../facts/index.ts'
import { isOwnEther, isOwnTokenBalance } from '../../idioms/index.ts'
import {
  describeCall,
  describeValue,
  type Flow,
  isComparison,
  isEquality,
  isZero,
  type LoadOp,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'
import { excuses } from './excuses.ts'
import { isGasComparison, type Violation } from './violation.ts'

const isOrder = ({ kind, operator, args }: Op): boolean =>
  (kind === 'un' && operator === '!' && isOrder(stripCasts(args[0]!))) ||
  (kind === 'bin' && isComparison(operator) && !isEquality(operator))

/** The call whose answer is tested. */
const answerOf = (flow: Flow, condition: Op): string => {
  const answer = findDependency(flow, condition, (part) => part.kind === 'call' && !part.call.inlined)
  return answer?.kind === 'call' ? `\`${describeCall(flow.model, answer)}\`` : 'another contract'
}

/** Why the condition may be false, in words; null when nobody in sight can make it so. */
const breakerOf = (flow: Flow, condition: Op): string | null => {
  if (condition.kind === 'const')
    return condition.constant === 0n
      ? `The condition of this \`assert\` is always false, so \`${flow.name}()\` always reverts.`
      : null
  if (isGasComparison(condition))
    return `This \`assert\` in \`${flow.name}()\` fails: it expects more gas than before, but the remaining gas only falls.`
  const sources = taintOf(flow, condition)
  // `assert(balance >= owed)` states what the contract relies on throughout, which is what an assertion is for.
  if (isOrder(condition) && dependsOn(flow, condition, (part) => isOwnEther(part) || isOwnTokenBalance(part)))
    return null
  if ((sources & Source.call) !== 0)
    return `This \`assert\` depends on what ${answerOf(flow, condition)} returns, so an unexpected value makes \`${flow.name}()\` revert with a panic. Use \`require\` for values that can be wrong.`
  if ((sources & chosenByCaller) !== 0) return unprovenFor(flow, inputOf(flow, condition))
  if ((sources & Source.outsiderState) !== 0) return unprovenFor(flow, stateOf(flow, condition))
  return isPicked(flow, condition) ? unprovenFor(flow, 'an element that the caller chooses') : null
}

const unprovenFor = (flow: Flow, input: string): string =>
  `This \`assert\` depends on ${input}, and no earlier check makes it hold. Where it fails, ${costOfFailure(flow)}; use \`require\` for input.`

/** Since Solidity 0.8 a failed \`assert\` returns the gas that is left. */
const costOfFailure = ({ fn }: Flow): string =>
  (fn?.file.versions.checkedArithmetic ?? 'never') === 'always'
    ? 'the call reverts with a panic code instead of a reason'
    : 'the caller loses all gas of the transaction'

/** The parameters that reach the condition, and of which function. */
const inputOf = (flow: Flow, condition: Op): string => {
  const names = [...new Set([...parametersIn(flow, condition)].map(({ operator }) => `\`${operator}\``))]
  const [first, second] = names
  if (first === undefined)
    return `${dependsOn(flow, condition, isSender) ? '`msg.sender`' : 'what the caller sends'} in \`${flow.name}()\``
  return `${names.length === 2 ? `${first} and ${second}` : names.slice(0, 3).join(', ')} of \`${flow.name}()\``
}

const stateOf = (flow: Flow, condition: Op): string => {
  const names = [...new Set(stateReadsOf(flow, condition).map(({ location }) => location.variable?.name))]
  const [name] = names
  return name === undefined ? 'state that anyone can change' : `\`${name}\`, which anyone can change`
}

/** Values as they come in, compared with one another: one that makes it false is easy to name. */
const isPlain = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'bin' || op.kind === 'un') {
    const isTest = op.kind === 'un' || isComparison(op.operator) || op.operator === '&&' || op.operator === '||'
    return isTest && op.args.every((arg) => isPlain(arg!))
  }
  return op.kind !== 'phi' && op.kind !== 'select' && op.kind !== 'builtin'
}

/** Looked up by a key of the caller, in a mapping into which something was put. */
const isPicked = (flow: Flow, condition: Op): boolean => {
  const load = findDependency(flow, condition, (op) => op.kind === 'load' && op.location.part === 'index')
  const { variable, index } = load?.location ?? { variable: null, index: null }
  if (variable === null || index === null || (taintOf(flow, index) & (Source.param | Source.data)) === 0) return false
  return flow.contractFlow.writersOf(variable).some(({ op }) => !isZero(op.args[0]))
}

/** An element of an array that nothing ever makes longer. */
const isOfEmptyArray = (flow: Flow, { location: { part, parent, variable } }: LoadOp): boolean => {
  if (part !== 'index' || parent?.part !== 'root' || variable === null) return false
  if (variable.type.kind !== 'array' || variable.type.length !== null || variable.isConstant) return false
  return flow.contractFlow.writersOf(variable).length === 0 && flow.contract?.hasUnresolvedBase === false
}

/** What it takes: an assertion, or an element that is read. */
const canFail = (flow: Flow): boolean =>
  flow.ops('assume').some(({ operator }) => operator === 'assert') ||
  flow.stateLoads().some(({ location }) => location.part === 'index')

export default defineDetector<Violation>({
  id: 'assert-violation',
  swc: 'SWC-110',
  title: 'Assert violation',
  aliases: {
    slither: ['assert-state-change'],
    aderyn: ['assert-state-change'],
    owasp: ['SC03:2025'],
    scwe: ['SCWE-067'],
    words: ['assert instead of require', 'panic'],
  },
  severity: 'low',
  confidence: 'medium',
  description:
    '`assert` is for invariants that never fail. If input, another contract or writable state can make it fail, the contract has a bug, or the check belongs in `require`. Before Solidity 0.8 a failed `assert` also burns all remaining gas.',
  recommendation:
    'Check input and return values with `require`; where the condition must always hold, correct the code that can break it.',
  references: [
    'https://swcregistry.io/docs/SWC-110',
    'https://docs.soliditylang.org/en/latest/control-structures.html#panic-via-assert-and-error-via-require',
  ],
  cwe: ['CWE-670'],

  needs: [canFail],
  *candidates({ functions, model }) {
    for (const flow of functions) {
      for (const op of flow.ops('assume')) {
        const message = op.operator === 'assert' ? breakerOf(flow, op.args[0]) : null
        if (message !== null) yield { flow, op, condition: op.args[0], message }
      }
      for (const op of flow.stateLoads())
        if (isOfEmptyArray(flow, op)) {
          const message = `No function adds elements to \`${op.location.variable!.name}\`, so reading \`${describeValue(model, op)}\` always reverts and \`${flow.name}()\` cannot be used.`
          yield { flow, op, condition: null, message }
        }
    }
  },

  excuses,

  finding: ({ flow, op, condition, message }) => ({
    at: op,
    message,
    trace: flow.trace(op),
    factors: {
      counterEvidence:
        condition === null || isGasComparison(condition) || isPlain(condition)
          ? []
          : ['no input that makes it fail is known'],
    },
  }),
})
