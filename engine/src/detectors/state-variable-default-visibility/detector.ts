import type { VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'

export default defineDetector<VariableModel>({
  id: 'state-variable-default-visibility',
  swc: 'SWC-108',
  title: 'State variable default visibility',
  aliases: { scwe: ['SCWE-068'], words: ['missing visibility', 'implicit internal'] },
  severity: 'info',
  confidence: 'high',
  description:
    'A state variable without a visibility specifier is internal. Readers may mistake it for public or private.',
  recommendation: 'Add `public`, `internal` or `private` to every state variable.',
  references: ['https://swcregistry.io/docs/SWC-108'],
  cwe: ['CWE-710'],

  *candidatesInFile({ contracts }) {
    for (const { stateVariables } of contracts)
      for (const variable of stateVariables)
        if (variable.node.kind === 'StateVariable' && variable.node.visibility === null) yield variable
  },

  finding: ({ node, name, contract }) => ({
    at: node,
    message:
      contract?.contractKind === 'library'
        ? `\`${name}\` has no visibility specifier, so it is internal and has no getter.`
        : `\`${name}\` has no visibility specifier, so it is internal: derived contracts can use it, and no getter exists.`,
    factors: { isInText: true },
  }),
})
