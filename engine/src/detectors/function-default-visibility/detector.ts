import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
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

  read(model) {
    const hits: Hit[] = []
    for (const contract of model.contracts) {
      // From 0.5.0 on the compiler refuses it; in interfaces everything is external anyway.
      if (contract.contractKind === 'interface' || contract.file.versions.isAtLeast(5)) continue
      for (const { node, role, name, isImplemented } of contract.functions) {
        if (node.visibility !== null || role !== 'function' || !isImplemented) continue
        hits.push({
          at: { start: node.start, end: node.headEnd },
          message: `\`${name}\` states no visibility, so anybody can call it.`,
        })
      }
    }
    return hits
  },
})
