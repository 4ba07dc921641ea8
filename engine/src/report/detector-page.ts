import type { Confidence, Severity } from '../detectors/define-detector.ts'
import type { DetectorExample } from '../detectors/detector-example.ts'
import { attackScenarios } from '../detectors/generated/attack-scenarios.ts'
import { findWeakness } from './weaknesses.ts'

/** What a page says of a detector, one of Assay or of someone else. */
export interface DetectorFacts {
  readonly id: string
  readonly swc: string | null
  readonly title: string
  readonly severity: Severity
  readonly confidence: Confidence
  readonly description: string
  readonly recommendation: string
  readonly references: readonly string[]
  readonly cwe: readonly string[]
  readonly excuses?: readonly { readonly sentence: string }[]
}

/** When a detector stays silent: by its excuses, or where it has none by its page. */
export const silencesOf = ({ excuses = [] }: DetectorFacts, example: DetectorExample | undefined): string[] => [
  ...excuses.map(({ sentence }) => sentence),
  ...(example?.silentWhen ?? []),
]

/** A detector's page as Markdown: for editors, agents and the help in SARIF. */
export function detectorPage(detector: DetectorFacts, example: DetectorExample | undefined): string {
  const weakness = detector.swc ? findWeakness(detector.swc) : undefined
  const named = weakness ? `${detector.swc} ${weakness.registryTitle ?? weakness.name}` : (detector.swc ?? 'advisory')
  const facts = [named, `severity ${detector.severity}`, ...(weakness?.cwe ?? detector.cwe)]
  return [
    `# ${detector.title} (${detector.id})`,
    '',
    facts.join(' · '),
    '',
    detector.description,
    ...list('How it is attacked', attackScenarios[detector.id] ?? [], (index) => `${index + 1}.`),
    '',
    '## How to fix it',
    '',
    detector.recommendation,
    ...code('Reported', example?.vulnerable),
    ...code('Fixed', example?.safe),
    ...list('Stays silent when', silencesOf(detector, example)),
    ...list('Known limits', example?.limits ?? []),
    ...list('Real incidents', example?.incidents ?? []),
    ...list(
      'References',
      detector.references.map((url) => `<${url}>`),
    ),
    '',
  ].join('\n')
}

const list = (title: string, items: readonly string[], markOf: (index: number) => string = () => '-'): string[] =>
  items.length === 0 ? [] : ['', `## ${title}`, '', ...items.map((item, index) => `${markOf(index)} ${item}`)]

const code = (title: string, text: string | undefined): string[] =>
  text ? ['', `## ${title}`, '', '```solidity', text.trimEnd(), '```'] : []
