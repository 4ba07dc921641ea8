import type { Model, Type } from '../../model/index.ts'
import { collect, nodesOf, type YulExpression, type YulPath, type YulStatement } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

/** The value is, or holds, an internal function: a place in the code to jump to. */
const holdsJump = (type: Type, depth = 0): boolean => {
  if (depth > 4) return false
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

const pathsIn = (expression: YulExpression): readonly YulPath[] => collect(expression, 'YulPath')

const describe = 'Assembly changes where a function variable points to: execution can be sent anywhere in the code.'

const setsJump = (model: Model, statement: YulStatement): boolean => {
  if (statement.kind === 'YulAssignment') {
    const { targets, value } = statement
    // One function variable copied to another still points at a function.
    if (value.kind === 'YulPath' && meansJump(model, value)) return false
    return targets.some((target) => meansJump(model, target))
  }
  if (statement.kind !== 'YulExpressionStatement' || statement.expression.kind !== 'YulCall') return false
  const { name, args } = statement.expression
  const [place] = args
  if ((name.name !== 'mstore' && name.name !== 'mstore8' && name.name !== 'sstore') || place === undefined) return false
  return pathsIn(place).some((path) => meansJump(model, path))
}

export default defineDetector({
  id: 'arbitrary-jump',
  swc: 'SWC-127',
  title: 'Function variable set in assembly',
  severity: 'high',
  confidence: 'medium',
  description:
    'A variable of internal function type holds a place in the code. Assembly that changes it can make the contract jump past every check to any other place.',
  recommendation: 'Do not touch function variables in assembly; choose between functions with ordinary conditions.',
  references: ['https://swcregistry.io/docs/SWC-127'],
  cwe: ['CWE-695'],

  read(model) {
    const hits: Hit[] = []
    for (const { unit } of model.files) {
      if (nodesOf(unit, 'AssemblyStatement').length === 0 || nodesOf(unit, 'FunctionType').length === 0) continue
      for (const at of nodesOf(unit, 'YulAssignment')) if (setsJump(model, at)) hits.push({ at, message: describe })
      for (const at of nodesOf(unit, 'YulExpressionStatement'))
        if (setsJump(model, at)) hits.push({ at, message: describe })
    }
    return hits
  },
})
