import type { FunctionModel } from '../../model/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

export default defineDetector<FunctionModel>({
  id: 'function-default-visibility',
  swc: 'SWC-100',
  title: 'Function without visibility',
  severity: 'low',
  confidence: 'high',
  description:
    'Before 0.5.0 a function without a visibility is public: anybody can call it, also when it was meant as a helper.',
  recommendation: 'Write `external`, `public`, `internal` or `private` at every function.',
  references: ['https://swcregistry.io/docs/SWC-100'],
  cwe: ['CWE-710'],

  *candidatesInModel({ contracts }) {
    for (const { functions } of contracts)
      for (const fn of functions)
        if (fn.node.visibility === null && fn.role === 'function' && fn.isImplemented) yield fn
  },

  excuses: [
    excuse(
      'refused-by-the-compiler',
      'the compiler, from 0.5.0 on, refuses a function without visibility',
      ({ contract }) => Boolean(contract?.file.versions.isAtLeast(5)),
    ),
  ],

  finding: ({ node, name }) => ({
    at: { start: node.start, end: node.headEnd },
    message: `\`${name}\` states no visibility, so anybody can call it.`,
    grounds: { isInText: true },
  }),
})
