import { chosenByCaller, findDependency, Source, taintOf } from '../../facts/index.ts'
import { describeValue, type Flow, isZero, type LoadOp, type Op } from '../../ir/index.ts'
import { defineDetector } from '../define-detector.ts'
import { excuses } from './excuses.ts'
import { isGasComparison, type Violation } from './violation.ts'

/** Who can make the condition false; null when nobody in sight can. */
const breakerOf = (flow: Flow, condition: Op): string | null => {
  if (condition.kind === 'const') return condition.constant === 0n ? 'the condition is always false' : null
  if (isGasComparison(condition)) return 'remaining gas never increases'
  const sources = taintOf(flow, condition)
  if ((sources & Source.call) !== 0) return 'another contract controls the result'
  if ((sources & chosenByCaller) !== 0) return 'it depends on caller input'
  if ((sources & Source.outsiderState) !== 0) return 'it depends on state that anyone can change'
  return isPicked(flow, condition) ? 'the caller chooses the element that is checked' : null
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
        const breaker = op.operator === 'assert' ? breakerOf(flow, op.args[0]) : null
        if (breaker !== null)
          yield { flow, op, condition: op.args[0], message: `This \`assert\` can fail because ${breaker}.` }
      }
      for (const op of flow.stateLoads())
        if (isOfEmptyArray(flow, op)) {
          const message = `The array is never filled, so \`${describeValue(model, op)}\` always fails.`
          yield { flow, op, condition: null, message }
        }
    }
  },

  excuses,

  finding: ({ flow, op, message }) => ({ at: op, message, trace: flow.trace(op) }),
})
