import type { VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'

export default defineDetector<VariableModel>({
  id: 'state-variable-default-visibility',
  swc: 'SWC-108',
  title: 'State variable without visibility',
  severity: 'info',
  confidence: 'high',
  description:
    'A state variable without a visibility is internal. Whoever reads the contract has to know that, and may take it for public or private.',
  recommendation: 'Write `public`, `internal` or `private` at every state variable.',
  references: ['https://swcregistry.io/docs/SWC-108'],
  cwe: ['CWE-710'],

  *candidatesInModel({ contracts }) {
    for (const { stateVariables } of contracts)
      for (const variable of stateVariables)
        if (variable.node.kind === 'StateVariable' && variable.node.visibility === null) yield variable
  },

  finding: ({ node, name }) => ({
    at: node,
    message: `\`${name}\` states no visibility; it is internal.`,
    grounds: { isInText: true },
  }),
})
