import { aliasesOf, attackScenarios, type Detector, detectors, findWeakness, loadDetectorExamples } from '@assay/engine'

export interface CatalogueEntry {
  readonly id: string
  readonly swc: string | null
  readonly name: string
  /** What the SWC registry calls the number; the interface names some differently. */
  readonly registryTitle: string | null
  readonly title: string
  readonly severity: Detector['severity']
  readonly confidence: Detector['confidence']
  readonly description: string
  readonly recommendation: string
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  readonly aliases: readonly string[]
  readonly examples: { readonly vulnerable: string; readonly safe: string } | null
  readonly knownLimits: readonly string[]
  readonly attackScenario: readonly string[]
  readonly incidents: readonly string[]
}

let catalogue: Promise<readonly CatalogueEntry[]> | undefined

/** Everything the engine looks for, with the examples its tests run on. */
export const listDetectors = (): Promise<readonly CatalogueEntry[]> => {
  catalogue ??= makeCatalogue()
  return catalogue
}

async function makeCatalogue(): Promise<readonly CatalogueEntry[]> {
  const examples = await loadDetectorExamples()
  return detectors.map((detector) => {
    const weakness = detector.swc ? findWeakness(detector.swc) : undefined
    const example = examples[detector.id]
    return {
      id: detector.id,
      swc: detector.swc,
      name: weakness?.name ?? detector.title,
      registryTitle: weakness ? (weakness.registryTitle ?? weakness.name) : null,
      title: detector.title,
      severity: detector.severity,
      confidence: detector.confidence,
      description: detector.description,
      recommendation: detector.recommendation,
      references: detector.references,
      cwe: detector.cwe.length > 0 ? detector.cwe : (weakness?.cwe ?? []),
      aliases: aliasesOf(detector),
      examples: example ? { vulnerable: example.vulnerable, safe: example.safe } : null,
      knownLimits: example?.limits ?? [],
      attackScenario: attackScenarios[detector.id] ?? [],
      incidents: example?.incidents ?? [],
    }
  })
}
