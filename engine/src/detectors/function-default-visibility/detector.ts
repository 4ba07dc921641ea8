import type { FunctionModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

export default defineDetector<FunctionModel>({
  id: 'function-default-visibility',
  swc: 'SWC-100',
  title: 'Function default visibility',
  aliases: { scwe: ['SCWE-097'], words: ['missing visibility', 'implicit public'] },
  severity: 'low',
  confidence: 'high',
  description:
    'Before Solidity 0.5.0 a function without a visibility specifier is public, so anyone can call it even if it was meant as a helper.',
  recommendation: 'Add `external`, `public`, `internal` or `private` to every function.',
  references: ['https://swcregistry.io/docs/SWC-100'],
  cwe: ['CWE-710'],

  *candidatesInFile({ contracts }) {
    for (const { functions } of contracts)
      for (const fn of functions)
        if (fn.node.visibility === null && fn.role === 'function' && fn.isImplemented) yield fn
  },

  excuses: [
    excuse('refused-by-the-compiler', 'compilers from 0.5.0 on reject a function without visibility', ({ contract }) =>
      Boolean(contract?.file.versions.isAtLeast(5)),
    ),
  ],

  finding: ({ node, name }) => ({
    at: { start: node.start, end: node.headEnd },
    message: `\`${name}()\` has no visibility specifier, so it is public: it can be called from outside even if it was meant as a helper.`,
    factors: { isInText: true },
  }),
})
