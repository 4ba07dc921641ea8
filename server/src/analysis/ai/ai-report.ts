import type { ScanResult } from '@assay/engine'
import type { AiResults, AiVulnerability } from './ai-verdict.ts'

export interface AiReportFacts {
  readonly scanId: string
  readonly fileName: string
  readonly scannedAt: Date
  readonly model: string
  readonly timeTaken: string
  readonly securityScore: ScanResult['securityScore']
  readonly results: AiResults
  /** What the static analysis could not read, and its severe advisories. */
  readonly notes: string
}

const agreements = {
  both: 'found by the engine and confirmed by the model',
  ai: 'found by the model only',
  static: 'found by the engine',
}

/** The report as Markdown. Whatever the model or the uploader wrote is text in it: no markup, no links, no HTML. */
export function renderAiReport(facts: AiReportFacts): string {
  const { score, rating, summary } = facts.securityScore
  const { vulnerabilities, recommendations, suppressed } = facts.results
  return `${[
    '# AI-assisted scan report',
    [
      `- File: ${plain(facts.fileName)}`,
      `- Scan: ${plain(facts.scanId)}`,
      `- Time: ${facts.scannedAt.toISOString()}, ${plain(facts.timeTaken)}`,
      `- Model: ${plain(facts.model)}`,
      `- Security score of the static analysis: **${score}** of 100${facts.notes.startsWith('Incomplete:') ? '' : ` (${rating})`}; ${summary.critical} critical, ${summary.high} high, ${summary.medium} medium, ${summary.low} low`,
    ].join('\n'),
    ...(facts.notes === '' ? [] : [`The static analysis: ${plain(facts.notes)}`]),
    '## Summary',
    'Written by the model:',
    quote(facts.results.summary || 'The model gave no summary.'),
    `## Vulnerabilities (${vulnerabilities.length})`,
    ...(vulnerabilities.length === 0 ? ['None were found.'] : vulnerabilities.map(renderVulnerability)),
    ...(suppressed.length === 0
      ? []
      : [`## Suppressed by comments (${suppressed.length})`, ...suppressed.map(renderVulnerability)]),
    '## Recommendations',
    recommendations.length === 0 ? 'None.' : recommendations.map((text) => `- ${plain(text)}`).join('\n'),
    '---',
    'Findings of the static analysis are complete whatever the model says: it can confirm or doubt them and add to them, never remove one. Lines that the model quoted were checked against the file.',
  ].join('\n\n')}\n`
}

function renderVulnerability(found: AiVulnerability, index: number): string {
  const lines = found.line === found.endLine ? `line ${found.line}` : `lines ${found.line}–${found.endLine}`
  return [
    `### ${index + 1}. ${found.vulnerabilityId ? `${plain(found.vulnerabilityId)} ` : ''}${plain(found.title)}`,
    `**${found.severity}** · confidence ${found.confidence} · ${lines} · ${agreements[found.agreement]}`,
    found.agreement === 'ai' ? quote(found.description) : quoteEngine(found.description),
    ...(found.aiVerdict ? [`The model ${verdictWords[found.aiVerdict]}${found.aiReason ? ':' : '.'}`] : []),
    ...(found.aiVerdict && found.aiReason ? [quote(found.aiReason)] : []),
    ...(found.recommendation
      ? ['Recommendation:', found.agreement === 'ai' ? quote(found.recommendation) : quoteEngine(found.recommendation)]
      : []),
  ].join('\n\n')
}

const verdictWords = { confirmed: 'confirms this', doubted: 'doubts this', unsure: 'is not sure about this' }

const quote = (text: string): string => `> ${plain(text)}`

/** The engine's own sentences put names in backticks: these stay code, the rest is text. */
function quoteEngine(text: string): string {
  const parts = text.replace(/\s+/g, ' ').split('`')
  if (parts.length % 2 === 0) return quote(text)
  return `> ${parts.map((part, index) => (index % 2 === 1 ? `\`${part}\`` : escapeMarkup(part))).join('')}`
}

/** One line of literal text: nothing in it is markup, HTML or a link to any reader of Markdown. */
export const plain = (text: string): string =>
  escapeMarkup(text.replace(/\s+/g, ' ').trim()).replace(/^(\d*)([-+=.])/, '$1\\$2')

const escapeMarkup = (text: string): string =>
  text
    .replace(/[\\`*_{}[\]()#!|~^$@]/g, (letter) => `\\${letter}`)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    // Many readers turn a bare address into a link.
    .replace(/\b([a-z][a-z0-9+.-]{1,20}):(?=\S)/gi, '$1\\:')
    .replace(/\bwww\./gi, 'www\\.')
