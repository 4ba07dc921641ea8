import { attackScenarios, type Detector, type DetectorExample, findWeakness } from '@assay/engine'

/** A detector's page as Markdown: for editors, agents and the help in SARIF. */
export function explanationPage(detector: Detector, example: DetectorExample | undefined): string {
  const weakness = detector.swc ? findWeakness(detector.swc) : undefined
  const facts = [detector.swc ?? 'advisory', `severity ${detector.severity}`, ...(weakness?.cwe ?? detector.cwe)]
  return [
    `# ${weakness?.name ?? detector.title} (${detector.id})`,
    '',
    facts.join(' · '),
    '',
    detector.description,
    '',
    ...list('How it is attacked', attackScenarios[detector.id] ?? []),
    '## How to mend it',
    '',
    detector.recommendation,
    ...code('Reported', example?.vulnerable),
    ...code('Not reported', example?.safe),
    ...(detector.excuses?.length
      ? ['', '## Stays silent when', '', ...detector.excuses.map(({ sentence }) => `- ${sentence}`)]
      : []),
    ...(example?.limits.length ? ['', '## Known limits', '', ...example.limits.map((limit) => `- ${limit}`)] : []),
    '',
    '## References',
    '',
    ...detector.references.map((url) => `- <${url}>`),
    '',
  ].join('\n')
}

const list = (title: string, steps: readonly string[]): string[] =>
  steps.length === 0 ? [] : [`## ${title}`, '', ...steps.map((step, index) => `${index + 1}. ${step}`), '']

const code = (title: string, text: string | undefined): string[] =>
  text ? ['', `## ${title}`, '', '```solidity', text.trimEnd(), '```'] : []
