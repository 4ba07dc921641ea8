import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
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

  read(model) {
    const hits: Hit[] = []
    for (const { stateVariables } of model.contracts)
      for (const { node, name } of stateVariables)
        if (node.kind === 'StateVariable' && node.visibility === null)
          hits.push({ at: node, message: `\`${name}\` states no visibility; it is internal.` })
    return hits
  },
})
