import { nodesOf } from '../syntax/index.ts'
import { defineDetector } from './detector.ts'

const meant: Readonly<Record<string, string>> = { '+': '+=', '-': '-=', '!': '!=' }

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

  *run({ model: { files } }) {
    for (const { unit, text, base } of files)
      for (const assignment of nodesOf(unit, 'Assignment')) {
        const { operator, value } = assignment
        if (operator !== '=' || value.kind !== 'Unary' || !value.prefix) continue
        const intended = meant[value.operator]
        const sign = value.start - base
        if (intended === undefined || text[sign - 1] !== '=') continue
        // `x = -1` squeezed to `x=-1` is a matter of style; `x =- 1` is not.
        const isApart = /\s/.test(text[sign + 1] ?? '')
        if (value.operator !== '+' && !isApart) continue
        yield { at: assignment, message: `\`=${value.operator}\` assigns; \`${intended}\` was probably meant.` }
      }
  },
})
