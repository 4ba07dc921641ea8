import { disabledGuard, withOpenFunctions } from '../../idioms/index.ts'
import type { Flow } from '../../ir/index.ts'
import type { ContractModel, Model, ModifierModel } from '../../model/index.ts'
import { type Binary, type Expression, listChildren, type Node, nodesOf, type Span } from '../../syntax/index.ts'
import { type ConfidenceFactors, defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly at: Span
  readonly message: string
  readonly factors: ConfidenceFactors
  readonly expression?: Expression
  /** Functions that a comparison was meant to protect, and all others of the scan. */
  readonly guarded?: readonly Flow[]
  /** Of a modifier that no function carries. */
  readonly contract?: ContractModel
}

/** Nothing in the expression calls, assigns or changes anything. */
const isPure = (model: Model, expression: Expression): boolean => {
  const work: Node[] = [expression]
  while (work.length > 0) {
    const node = work.pop()!
    switch (node.kind) {
      case 'Assignment':
      case 'NewExpression':
      case 'ErrorExpression':
        return false
      case 'Unary':
        if (node.operator === '++' || node.operator === '--' || node.operator === 'delete') return false
        break
      case 'Call': {
        const { isOption, kind } = model.callTarget(node)
        if (!isOption && kind !== 'type-conversion' && kind !== 'struct-constructor') return false
      }
    }
    listChildren(node, work)
  }
  return true
}

const comparisons = new Set(['==', '!=', '<', '>', '<=', '>='])

const isComparison = (expression: Expression): expression is Binary =>
  expression.kind === 'Binary' && comparisons.has(expression.operator)

const isCaller = (node: Expression): boolean => node.kind === 'Member' && node.name.name === 'sender'

/** Meant as a check: it compares the caller, or stands in a modifier. */
const isCheck = (model: Model, expression: Expression): boolean =>
  isComparison(expression) &&
  ([expression.left, expression.right].some(isCaller) || model.modifierAt(expression.start) !== undefined)

const reason = (expression: Expression): string => {
  if (isComparison(expression) && expression.operator === '==')
    return 'This statement compares two values and discards the result; a `require` or an assignment `=` was probably intended.'
  if (isComparison(expression))
    return 'This statement compares two values and discards the result; a `require` was probably intended.'
  if (expression.kind === 'Call' || expression.kind === 'CallOptions')
    return 'This sets the options of a call but the final parentheses are missing, so no call is made and no ETH is sent.'
  return 'The result of this expression is discarded, so the statement changes nothing.'
}

/** `x;`, `this;`, `f.selector;` and lists of such. */
const isMereName = (expression: Expression): boolean =>
  expression.kind === 'Tuple'
    ? expression.elements.every((element) => element === null || isMereName(element))
    : ['Identifier', 'Member', 'TypeExpression', 'Literal'].includes(expression.kind)

const carriedIn = ({ functions }: ContractModel): ReadonlySet<ModifierModel | null> =>
  new Set(functions.flatMap((fn) => fn.modifiers.map(({ modifier }) => modifier)))

/** Modifiers of a contract that nothing inherits, and that no function carries. */
function* unusedModifiers(contract: ContractModel): Iterable<Candidate> {
  if (contract.modifiers.length === 0 || !contract.isMostDerived) return
  const carried = carriedIn(contract)
  for (const modifier of contract.modifiers)
    if (modifier.name !== '' && !carried.has(modifier))
      yield {
        at: modifier.node,
        message: `No function uses the modifier \`${modifier.name}\`: it is dead code, or a function that should have it lacks its check.`,
        factors: { isInText: true },
        contract,
      }
}

const isPerhapsBase = (contract: ContractModel): boolean => {
  const { contractKind, modifiers, file } = contract
  const carried = carriedIn(contract)
  return contractKind !== 'contract' || !file.versions.isAtLeast(6) || !modifiers.some((other) => carried.has(other))
}

export default defineDetector<Candidate>({
  id: 'code-without-effect',
  swc: 'SWC-135',
  title: 'Code without effect',
  aliases: {
    slither: ['redundant-statements'],
    aderyn: ['redundant-statement'],
    scwe: ['SCWE-062'],
    words: ['no effect', 'unused modifier', 'dead code'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    'A statement has no effect: a comparison where an assignment was intended, a call that is prepared but never made, or a modifier that no function uses. The compiler accepts it silently.',
  recommendation: 'Complete it or apply it where it was intended, or remove it.',
  references: ['https://swcregistry.io/docs/SWC-135'],
  cwe: ['CWE-1164'],

  *candidates({ model, part, functions }) {
    for (const { unit } of part.files)
      for (const { expression } of nodesOf(unit, 'ExpressionStatement'))
        if (isPure(model, expression))
          yield {
            at: expression,
            message: reason(expression),
            factors: { isInText: true },
            expression,
            guarded: isCheck(model, expression) ? functions : [],
          }
    for (const contract of part.contracts) yield* unusedModifiers(contract)
  },
  excuses: [
    excuse(
      'silences-warning',
      'the statement is a bare name, used to silence a compiler warning',
      ({ expression }) => expression !== undefined && isMereName(expression),
    ),
    excuse(
      'perhaps-a-base',
      'the contract may be a base: it is abstract, targets a compiler before 0.6, or uses none of its modifiers',
      ({ contract }) => contract !== undefined && isPerhapsBase(contract),
    ),
  ],
  finding: ({ at, message, factors, guarded = [] }) =>
    withOpenFunctions(disabledGuard(guarded, at), { at, message, factors }),
})
