import type { SourceFile } from '../../model/index.ts'
import { type Assignment, nodesOf } from '../../syntax/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const meant: Readonly<Record<string, string>> = { '+': '+=', '-': '-=', '!': '!=' }

const checkAssignment = ({ text, base }: SourceFile, assignment: Assignment, hits: Hit[]): void => {
  const { operator, value } = assignment
  if (value.kind !== 'Unary' || operator !== '=' || !value.prefix) return
  const intended = meant[value.operator]
  const sign = value.start - base
  if (intended === undefined || text[sign - 1] !== '=') return
  // `x = -1` squeezed to `x=-1` is a matter of style; `x =- 1` is not.
  const isApart = /\s/.test(text[sign + 1] ?? '')
  if (value.operator !== '+' && !isApart) return
  hits.push({ at: assignment, message: `\`=${value.operator}\` assigns; \`${intended}\` was probably meant.` })
}

export default defineDetector({
  id: 'typographical-error',
  swc: 'SWC-129',
  title: 'Operator written the wrong way round',
  severity: 'low',
  confidence: 'high',
  description:
    '`x =+ 1` sets x to 1. What was meant is nearly always `x += 1`; the compiler reads the sign as part of the number.',
  recommendation: 'Write `+=`, `-=` or `!=`, or put a space between `=` and the sign if the assignment is meant.',
  references: ['https://swcregistry.io/docs/SWC-129'],
  cwe: ['CWE-480'],

  run({ part }) {
    const hits: Hit[] = []
    for (const file of part.files)
      for (const assignment of nodesOf(file.unit, 'Assignment')) checkAssignment(file, assignment, hits)
    return hits
  },
})
