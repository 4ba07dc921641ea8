import {
  aliasesOf,
  attackScenarios,
  type Detector,
  type DetectorExample,
  findWeakness,
  loadDetectorExamples,
  silencesOf,
} from '@assay/engine'
import { Complaint, type Io } from './io.ts'
import { explainDetectors as texts } from './messages/program.ts'
import type { Paint } from './output/paint.ts'
import { severityStyles } from './output/severity-styles.ts'
import { wrap } from './output/wrap.ts'
import { searchDetectors, unknownDetector } from './scan/find-detectors.ts'

/** The pages of these detectors, named by id, number or alias, for a terminal. */
export async function explainDetectors(names: readonly string[], paint: Paint, io: Io): Promise<string> {
  // Several words are one name, `first depositor`, or else several names.
  const together = searchDetectors(names.join(' '))
  const wanted = together.length > 0 ? together : new Set(names.flatMap(findOrRefuse))
  const examples = await loadDetectorExamples()
  return `${[...wanted].map((detector) => explanation(detector, examples[detector.id], paint, io)).join('\n\n')}\n`
}

function findOrRefuse(name: string): readonly Detector[] {
  const found = searchDetectors(name)
  if (found.length === 0) throw new Complaint(`${name}: ${unknownDetector(name)}`)
  return found
}

function explanation(detector: Detector, example: DetectorExample | undefined, paint: Paint, io: Io): string {
  const width = Math.min(io.out.columns, 100)
  const weakness = detector.swc ? findWeakness(detector.swc) : undefined
  const facts = [
    detector.swc ?? 'advisory',
    detector.id,
    `${detector.confidence} confidence`,
    ...(weakness?.cwe ?? detector.cwe),
  ]
  return [
    `${paint(severityStyles[detector.severity], detector.severity)}  ${paint('bold', detector.title)}`,
    paint('dim', facts.join(' · ')),
    ...wrap(texts.alsoKnownAs(aliasesOf(detector).join(', ')), width).map((line) => paint('dim', line)),
    '',
    ...wrap(detector.description, width),
    ...numbered(texts.howAttacked, attackScenarios[detector.id] ?? [], width, paint),
    '',
    paint('green', texts.howFix),
    ...wrap(detector.recommendation, width),
    ...code('Reported', example?.vulnerable, paint),
    ...code('Fixed', example?.safe, paint),
    ...listed(texts.staysSilentWhen, silencesOf(detector, example), width, paint),
    ...listed('Known limits', example?.limits ?? [], width, paint),
    '',
    paint('green', 'References'),
    ...detector.references,
  ].join('\n')
}

const numbered = (title: string, steps: readonly string[], width: number, paint: Paint): string[] =>
  steps.length === 0
    ? []
    : ['', paint('green', title), ...steps.flatMap((step, index) => wrap(`${index + 1}. ${step}`, width))]

const listed = (title: string, items: readonly string[], width: number, paint: Paint): string[] =>
  items.length === 0 ? [] : ['', paint('green', title), ...items.flatMap((item) => wrap(`- ${item}`, width))]

const code = (title: string, text: string | undefined, paint: Paint): string[] =>
  text ? ['', paint('green', title), ...text.split('\n').map((line) => `  ${line}`.trimEnd())] : []
