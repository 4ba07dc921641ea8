import { budget } from '../../ir/index.ts'
import type { Model, Type } from '../../model/index.ts'
import { collect, nodesOf, type YulAssignment, type YulExpressionStatement, type YulPath } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly model: Model
  readonly statement: YulAssignment | YulExpressionStatement
}

/** The value is, or holds, an internal function: a place in the code to jump to. */
const holdsJump = (type: Type, depth = 0): boolean => {
  if (depth > budget.depth.jump) return false
  switch (type.kind) {
    case 'function':
      return type.visibility !== 'external'
    case 'array':
      return holdsJump(type.base, depth + 1)
    case 'struct':
      return type.struct.fields.some((field) => holdsJump(field.type, depth + 1))
    default:
      return false
  }
}

const meansJump = (model: Model, path: YulPath): boolean => {
  const meant = model.declarationOf(path)
  return meant?.kind === 'variable' && holdsJump(meant.type)
}

const writers = new Set(['mstore', 'mstore8', 'sstore'])

/** Memory or storage is written at a place that a function variable names. */
const writesThrough = (model: Model, { expression }: YulExpressionStatement): boolean => {
  if (expression.kind !== 'YulCall' || !writers.has(expression.name.name)) return false
  const [place] = expression.args
  return place !== undefined && collect(place, 'YulPath').some((path) => meansJump(model, path))
}

export default defineDetector<Candidate>({
  id: 'arbitrary-jump',
  swc: 'SWC-127',
  title: 'Function pointer modified in assembly',
  aliases: { scwe: ['SCWE-039'], words: ['function pointer', 'assembly jump'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'A variable of internal function type holds a code offset. Assembly that changes it can make execution jump past every check to any location in the code.',
  recommendation: 'Do not modify function pointers in assembly; select functions with ordinary conditions.',
  references: ['https://swcregistry.io/docs/SWC-127'],
  cwe: ['CWE-695'],

  *candidatesInFile({ unit }, model) {
    if (nodesOf(unit, 'FunctionType').length === 0) return
    for (const statement of nodesOf(unit, 'YulAssignment'))
      if (statement.targets.some((target) => meansJump(model, target))) yield { model, statement }
    for (const statement of nodesOf(unit, 'YulExpressionStatement'))
      if (writesThrough(model, statement)) yield { model, statement }
  },

  excuses: [
    excuse(
      'copied',
      'one function variable is copied to another',
      ({ model, statement }) =>
        statement.kind === 'YulAssignment' && statement.value.kind === 'YulPath' && meansJump(model, statement.value),
    ),
  ],

  finding: ({ model, statement }) => ({
    at: statement,
    message: `Assembly in \`${model.functionAt(statement.start)?.name}()\` changes a function pointer. A caller who influences the value makes the next call through it jump past the checks of the contract.`,
    trace: [
      {
        at: statement,
        message: `An attacker calls \`${model.functionAt(statement.start)?.name}()\` and chooses the code that runs if they influence the pointer.`,
      },
    ],
  }),
})
