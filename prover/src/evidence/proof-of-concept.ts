/** A verified exploit as an auditor pastes it into a report: what happens, the steps, the control run, and the test that shows it. */
import { type Evidence, evidenceLine } from '@assay/engine'

export interface PocFinding {
  readonly title: string
  readonly severity: string
  readonly message: string
  readonly recommendation: string
  readonly line: number
  readonly contract: string | null
  readonly function: string | null
}

const sentence = (text: string): string =>
  `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`

/** A fence that no text inside can close. */
const fenced = (code: string): string => `\`\`\`solidity\n${code.replaceAll('```', '` ` `').trimEnd()}\n\`\`\``

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

export const writeProofOfConcept = (
  path: string,
  finding: PocFinding,
  { summary, steps, control, compiler }: Pick<Evidence, 'summary' | 'steps' | 'control' | 'compiler'>,
  test: string,
): string => {
  const where = [finding.contract, finding.function].filter(Boolean).join('.')
  return [
    `# ${oneLine(finding.title)}${where ? ` in \`${where}\`` : ''}`,
    `**Severity:** ${finding.severity} · **Location:** \`${oneLine(path)}:${finding.line}\``,
    oneLine(finding.message),
    `## Impact\n\n${sentence(summary)}`,
    `## Proof of concept\n\n${steps.map((step, index) => `${index + 1}. ${oneLine(evidenceLine(step))}`).join('\n')}`,
    ...(control ? [`Control run (${control.change}): ${control.result}.`] : []),
    `<details><summary>Foundry test${compiler ? ` (executed with solc ${compiler})` : ''}</summary>\n\n${fenced(test)}\n\n</details>`,
    `## Recommendation\n\n${oneLine(finding.recommendation)}`,
    '',
  ].join('\n\n')
}
