import type { Declaration } from '../../model/index.ts'
import { type ExpressionStatement, nodesOf } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly statement: ExpressionStatement
  /** What the name means; null for a type. */
  readonly meaning: Declaration | null
}

export default defineDetector<Candidate>({
  id: 'idle-statement',
  swc: 'SWC-135',
  title: 'Statement has no effect',
  aliases: {
    slither: ['redundant-statements'],
    aderyn: ['redundant-statement'],
    scwe: ['SCWE-062'],
    words: ['statement without effect'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    'A statement that is only a type or a name does nothing. Usually the rest of it was lost: an assignment, parentheses or a call.',
  recommendation: 'Write what was intended, or delete the line.',
  references: ['https://swcregistry.io/docs/SWC-135'],
  cwe: ['CWE-1164'],
  yieldsTo: ['code-without-effect'],

  *candidatesInModel(model) {
    for (const { unit } of model.files)
      for (const statement of nodesOf(unit, 'ExpressionStatement')) {
        const { expression } = statement
        if (expression.kind === 'TypeExpression') yield { statement, meaning: null }
        if (expression.kind !== 'Identifier' || ['_', 'throw', 'this'].includes(expression.name)) continue
        const meaning = model.declarationOf(expression) ?? null
        if (meaning !== null) yield { statement, meaning }
      }
  },
  excuses: [
    excuse(
      'silences-a-warning',
      'it names a parameter to silence the unused-variable warning',
      ({ meaning }) => meaning?.kind === 'variable' && meaning.role !== 'state',
    ),
  ],
  finding: ({ statement }) => ({
    at: statement,
    message: 'This statement does nothing; part of it is probably missing.',
  }),
})
