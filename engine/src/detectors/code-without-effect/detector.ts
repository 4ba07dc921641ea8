import type { ContractModel, Model, SourceFile } from '../../model/index.ts'
import { type Call, type Expression, type Identifier, listChildren, type Node, nodesOf } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const comparisons = new Set(['==', '!=', '<', '>', '<=', '>='])

/** The name at the start of `a.b[c].d`. */
const rootOf = (expression: Expression): Expression => {
  let inner = expression
  while (inner.kind === 'Member' || inner.kind === 'Index') inner = inner.object
  return inner
}

/** Certainly runs code, told by what its first name means: the model is asked about the whole call only in doubt. */
const isCertainlyCall = (model: Model, { callee }: Call): boolean => {
  switch (callee.kind) {
    case 'Call':
    case 'CallOptions':
      return true
    case 'Identifier': {
      const kind = model.declarationOf(callee)?.kind
      return kind === 'function' || kind === 'event' || kind === 'builtin'
    }
    case 'Member': {
      // `f.value(1)` alone only sets an option.
      if (callee.name.name === 'value' || callee.name.name === 'gas') return false
      const root = rootOf(callee.object)
      if (root.kind !== 'Identifier') return root.kind === 'Call'
      const kind = model.declarationOf(root)?.kind
      return kind === 'variable' || kind === 'builtin'
    }
    default:
      return false
  }
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
        if (isCertainlyCall(model, node)) return false
        const target = model.callTarget(node)
        if (!target.isOption && target.kind !== 'type-conversion' && target.kind !== 'struct-constructor') return false
      }
    }
    listChildren(node, work)
  }
  return true
}

/** `x;`, `this;` and `f.selector;` are the usual way to silence a warning. */
const isDeliberate = (expression: Expression): boolean => {
  let inner: Expression = expression
  while (inner.kind === 'Tuple' && inner.elements.length === 1 && inner.elements[0] !== null) inner = inner.elements[0]!
  if (inner.kind === 'Tuple') return inner.elements.every((element) => element === null || isDeliberate(element))
  return inner.kind === 'Identifier' || inner.kind === 'TypeExpression' || inner.kind === 'Literal'
}

const reason = (expression: Expression): string => {
  if (expression.kind === 'Binary' && expression.operator === '==')
    return 'This compares and throws the answer away; an assignment `=` was probably meant.'
  if (expression.kind === 'Binary' && comparisons.has(expression.operator))
    return 'This compares and throws the answer away; a `require` was probably meant.'
  if (expression.kind === 'Call') return 'This prepares a call and does not make it: the final parentheses are missing.'
  return 'This statement computes a value and throws it away.'
}

const isWordPart = (c: string | undefined): boolean => c !== undefined && /[\w$]/.test(c)

/** The word stands somewhere else in the file too, be it in a comment: errs on the quiet side. */
const isNamedElsewhere = ({ text, base }: SourceFile, { name, start }: Identifier): boolean => {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length))
    if (base + at !== start && !isWordPart(text[at - 1]) && !isWordPart(text[at + name.length])) return true
  return false
}

/**
 * Modifiers of a finished contract that no function carries. Before 0.6 a base for others could not be told from a
 * finished contract, and one that uses none of its own modifiers may be such a base still. So may others: low confidence.
 */
const findUnusedModifiers = (contract: ContractModel, hits: Hit[]): void => {
  const { contractKind, modifiers, functions, file } = contract
  if (modifiers.length < 2 || contractKind !== 'contract' || !file.versions.isAtLeast(6) || !contract.isMostDerived)
    return
  const used = new Set(functions.flatMap((fn) => fn.modifiers.map(({ modifier }) => modifier)))
  if (!modifiers.some((modifier) => used.has(modifier))) return
  for (const modifier of modifiers) {
    const { node, name } = modifier
    if (name === '' || node.virtual || node.override !== null || used.has(modifier)) continue
    if (isNamedElsewhere(file, node.name)) continue
    hits.push({
      at: node,
      confidence: 'low',
      message: `No function carries the modifier \`${name}\`: what it demands is demanded nowhere.`,
    })
  }
}

export default defineDetector({
  id: 'code-without-effect',
  swc: 'SWC-135',
  title: 'Code without effect',
  severity: 'low',
  confidence: 'high',
  description:
    'Code has no effect: a comparison where an assignment was meant, or a call that is prepared and never made, a modifier that no function carries. The compiler accepts it silently.',
  recommendation: 'Write what was meant, or remove the statement.',
  references: ['https://swcregistry.io/docs/SWC-135'],
  cwe: ['CWE-1164'],

  run({ model, part }) {
    const hits: Hit[] = []
    for (const { unit } of part.files)
      for (const { expression } of nodesOf(unit, 'ExpressionStatement')) {
        // Told by its kind alone, as nearly all are.
        if (expression.kind === 'Assignment' || expression.kind === 'Member' || isDeliberate(expression)) continue
        if (isPure(model, expression)) hits.push({ at: expression, message: reason(expression) })
      }
    for (const contract of part.contracts) findUnusedModifiers(contract, hits)
    return hits
  },
})
