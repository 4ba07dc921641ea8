import { type Assignment, type Expression, nodesOf } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly assignment: Assignment
}

/** `x = true` where a condition stands. */
const asAssignment = (expression: Expression | null | undefined): Assignment | null => {
  let inner = expression ?? null
  while (inner?.kind === 'Tuple' && inner.elements.length === 1) inner = inner.elements[0] ?? null
  return inner?.kind === 'Assignment' && inner.operator === '=' ? inner : null
}

/** What is assigned is known when it is written: nothing is tested. */
const isLiteral = ({ assignment }: Candidate): boolean => assignment.value.kind === 'Literal'

export default defineDetector<Candidate>({
  id: 'assignment-as-condition',
  swc: 'SWC-129',
  title: 'Assignment in a condition (= instead of ==)',
  aliases: { owasp: ['SC03:2025'], words: ['assignment instead of comparison', 'single equals'] },
  severity: 'low',
  confidence: 'high',
  description:
    '`require(open = true)` assigns `open` and then tests the assigned value. The check always passes and enables what it was meant to test.',
  recommendation: 'Write `==`, or test the variable itself.',
  references: ['https://swcregistry.io/docs/SWC-129'],
  cwe: ['CWE-481'],

  *candidatesInModel({ files }) {
    for (const { unit } of files) {
      for (const { condition } of nodesOf(unit, 'IfStatement')) {
        const assignment = asAssignment(condition)
        if (assignment !== null) yield { assignment }
      }
      for (const { callee, args } of nodesOf(unit, 'Call')) {
        if (callee.kind !== 'Identifier' || (callee.name !== 'require' && callee.name !== 'assert')) continue
        const assignment = asAssignment(args.values[0])
        if (assignment !== null) yield { assignment }
      }
    }
  },

  excuses: [
    excuse(
      'tests-the-result',
      'the assigned value is computed and its result is tested',
      (candidate) => !isLiteral(candidate),
    ),
  ],

  finding: ({ assignment }) => ({
    at: assignment,
    message: '`=` assigns instead of comparing, so this check always gives the same result; use `==`.',
  }),
})
