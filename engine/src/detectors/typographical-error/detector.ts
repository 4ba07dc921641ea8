import type { SourceFile } from '../../model/index.ts'
import { type Assignment, nodesOf, type Unary } from '../../syntax/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly file: SourceFile
  readonly assignment: Assignment
  readonly sign: Unary
  readonly intended: string
}

const meant: Readonly<Record<string, string>> = { '+': '+=', '-': '-=', '!': '!=' }

const nameOf = (file: SourceFile, { target }: Assignment): string => {
  const written = file.excerpt(target)
  return written.length > 40 ? '' : ` of \`${written}\``
}

export default defineDetector<Candidate>({
  id: 'typographical-error',
  swc: 'SWC-129',
  title: 'Typographical error in operator',
  aliases: {
    slither: ['incorrect-unary'],
    aderyn: ['dangerous-unary-operator'],
    owasp: ['SC03:2025'],
    words: ['typo', '=+', 'operator typo'],
  },
  severity: 'low',
  confidence: 'high',
  description:
    '`x =+ 1` sets x to 1. Usually `x += 1` was intended; the compiler reads the sign as part of the number.',
  recommendation: 'Write `+=`, `-=` or `!=`, or put a space between `=` and the sign if the assignment is intended.',
  references: ['https://swcregistry.io/docs/SWC-129'],
  cwe: ['CWE-480'],

  *candidatesInFile(file) {
    for (const assignment of nodesOf(file.unit, 'Assignment')) {
      const { operator, value } = assignment
      if (value.kind !== 'Unary' || operator !== '=' || !value.prefix) continue
      const intended = meant[value.operator]
      if (intended !== undefined) yield { file, assignment, sign: value, intended }
    }
  },

  excuses: [
    excuse(
      'apart',
      'the sign is separated from `=`',
      ({ file, sign }) => file.text[sign.start - file.base - 1] !== '=',
    ),
    excuse('squeezed', '`x=-1` is written without spaces, a matter of style', ({ file, sign }) => {
      const isApart = /\s/.test(file.text[sign.start - file.base + 1] ?? '')
      return sign.operator !== '+' && !isApart
    }),
  ],

  finding: ({ file, assignment, sign, intended }) => ({
    at: assignment,
    message: `\`=${sign.operator}\` overwrites the old value${nameOf(file, assignment)}; \`${intended}\` was probably intended.`,
  }),
})
