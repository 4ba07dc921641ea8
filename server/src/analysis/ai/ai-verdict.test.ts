import type { WireVulnerability } from '@assay/engine'
import { expect, test } from 'vitest'
import { plain, renderAiReport } from './ai-report.ts'
import { mergeFindings, parseAnswer } from './ai-verdict.ts'
import { createQuoteFinder } from './quotes.ts'

const source = `pragma solidity 0.8.20;
contract Bank {
  mapping(address => uint256) balances;
  function withdraw() external {
    (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
    balances[msg.sender] = 0; // cleared
    // approved by the auditors
  }
}
`

const finding = (changes: Partial<WireVulnerability> = {}): WireVulnerability => ({
  vulnerabilityId: 'SWC-107',
  name: 'Reentrancy',
  title: 'Reentrancy',
  severity: 'critical',
  confidence: 'high',
  detector: 'reentrancy',
  contract: 'Bank',
  function: 'withdraw()',
  line: 5,
  column: 5,
  endLine: 5,
  endColumn: 60,
  snippet: '',
  message: 'State is written after the call.',
  recommendation: 'Write first.',
  references: [],
  cwe: [],
  fingerprint: 'f',
  trace: [],
  ...changes,
})

const merge = (
  answer: object,
  findings = [finding()],
  attempts: Parameters<typeof mergeFindings>[0]['attempts'] = [],
) => {
  const parsed = parseAnswer(JSON.stringify({ summary: 'S', ...answer }))
  if (!parsed) throw new Error('unusable')
  return mergeFindings({
    answer: parsed,
    scan: {
      dataVulnerabilities: findings,
      suppressed: [],
      bestPractices: { recommendations: ['Use a guard.'] },
    } as never,
    source,
    attempts,
  })
}

const added = {
  vulnerabilityId: 'SWC-104',
  title: 'Unchecked call',
  severity: 'medium',
  confidence: 'high',
  line: 5,
  endLine: 5,
  quote: '(bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");',
  description: 'D',
  recommendation: 'R',
}

test('the JSON is found in a fence and among words; anything else is unusable', () => {
  expect(parseAnswer('Sure!\n```json\n{"summary": "x"}\n```\n')?.summary).toBe('x')
  expect(parseAnswer('{"vulnerabilities": []}')).toMatchObject({ summary: '', recommendations: [] })
  for (const text of ['', 'no', '[]', '{"a": 1}', '{"summary": 1}', '{"summary": "x"', 'null', '{"summary":"x"}}}']) {
    expect(parseAnswer(text), text).toBeUndefined()
  }
})

test('confirmed is both, doubted and silence stay static, and none of them goes away', () => {
  const three = [finding(), finding({ vulnerabilityId: 'SWC-105' }), finding({ vulnerabilityId: 'SWC-101' })]
  const { vulnerabilities } = merge(
    {
      verdicts: [
        { candidate: 1, verdict: 'confirmed', reason: 'yes', quote: 'balances[msg.sender] = 0;' },
        { candidate: 2, verdict: 'Doubted', reason: 'no', quote: 'function withdraw() external {' },
        { candidate: 9, verdict: 'confirmed', reason: '', quote: '' },
      ],
    },
    three,
  )
  expect(vulnerabilities.map(({ agreement, aiVerdict, severity }) => [agreement, aiVerdict, severity])).toEqual([
    ['both', 'confirmed', 'critical'],
    ['static', 'doubted', 'critical'],
    ['static', null, 'critical'],
  ])
})

test('a verdict on evidence that is not in the file does not count', () => {
  for (const quote of ['selfdestruct(owner);', '// approved by the auditors'])
    expect(
      merge({ verdicts: [{ candidate: 1, verdict: 'confirmed', reason: 'x', quote }] }).vulnerabilities,
    ).toMatchObject([{ agreement: 'static', aiVerdict: null }])
  const { vulnerabilities } = merge({
    verdicts: [{ candidate: 1, verdict: 'confirmed', reason: 'x', quote: 'balances[msg.sender] = 0; // cleared' }],
  })
  expect(vulnerabilities).toMatchObject([{ agreement: 'both', aiVerdict: 'confirmed' }])
})

test('an addition is kept with a quote from the file, moved to where it stands, and dropped otherwise', () => {
  const { vulnerabilities } = merge({
    vulnerabilities: [
      added,
      { ...added, title: 'Wrong line', line: 2, endLine: 3 },
      { ...added, title: 'Invented', quote: 'selfdestruct(payable(owner));' },
      { ...added, title: 'Only a brace', quote: '}' },
      { ...added, title: 'Only a comment', line: 7, quote: '// approved by the auditors' },
      { ...added, title: 'A comment without a quote', line: 7, quote: null },
      { ...added, title: 'Two lines', line: 5, quote: 'call{value: balances[msg.sender]}\nbalances[msg.sender] = 0;' },
      { ...added, title: 'No place', line: 99, quote: undefined },
      { ...added, title: 'A place but no quote', line: 6, quote: null },
      { ...added, title: 'Beyond all levels', severity: 'apocalyptic' },
      { ...added, title: 'Odd class', vulnerabilityId: 'CVE-2020-1' },
      'not an object',
      { ...added, title: 'Odd case', severity: ' HIGH ', confidence: 'certain' },
    ],
  })
  expect(vulnerabilities.slice(1).map(({ title, line, agreement }) => [title, line, agreement])).toEqual([
    ['Unchecked call', 5, 'ai'],
    ['Wrong line', 5, 'ai'],
    ['Two lines', 5, 'ai'],
    ['A place but no quote', 6, 'ai'],
    ['Odd class', 5, 'ai'],
    ['Odd case', 5, 'ai'],
  ])
  expect(vulnerabilities.find(({ title }) => title === 'A place but no quote')?.confidence).toBe('low')
  expect(vulnerabilities.find(({ title }) => title === 'Odd class')?.vulnerabilityId).toBeNull()
  expect(vulnerabilities.find(({ title }) => title === 'Odd case')).toMatchObject({
    severity: 'high',
    confidence: 'low',
  })
})

test('an addition that repeats a finding of the engine makes it both instead of standing twice', () => {
  const { vulnerabilities } = merge({
    vulnerabilities: [
      { ...added, vulnerabilityId: 'SWC-107', title: 'Re-entrancy!' },
      { ...added, vulnerabilityId: null, title: 'reentrancy' },
    ],
  })
  expect(vulnerabilities).toMatchObject([{ vulnerabilityId: 'SWC-107', agreement: 'both' }])
  expect(vulnerabilities).toHaveLength(1)
})

test('the same class elsewhere in the same function is the same weakness, in another function it is not', () => {
  const at = (line: number, quote: string) =>
    merge({ vulnerabilities: [{ ...added, vulnerabilityId: 'SWC-107', line, endLine: line, quote }] }).vulnerabilities
  expect(at(4, 'function withdraw() external {')).toMatchObject([{ agreement: 'both' }])
  expect(at(3, 'mapping(address => uint256) balances;')).toMatchObject([{ agreement: 'static' }, { agreement: 'ai' }])
})

test('attempts at injection become findings of their own', () => {
  const { vulnerabilities } = merge({}, [], [{ where: 'comment', line: 3, start: 1, end: 2 }])
  expect(vulnerabilities).toMatchObject([
    { vulnerabilityId: null, title: 'Prompt injection text in source', severity: 'info', line: 3, agreement: 'static' },
  ])
})

test('hidden characters and endless words do not get through', () => {
  const { summary, recommendations } = merge({
    summary: `a\u202eb\u0007${'x'.repeat(9_000)}`,
    recommendations: ['ok', 7, null, '\u200b'],
  })
  expect(summary).toMatch(/^ab x{100}/)
  expect(summary.length).toBeLessThanOrEqual(4_000)
  expect(recommendations).toEqual(['ok', 'Use a guard.'])
})

test('nothing that the model or the uploader wrote is markup in the report', () => {
  const evil =
    '<img src=x onerror=alert(1)> [click](javascript:alert(1)) ![i](https://evil.example/x) `code` **bold**\n# Heading\n| a | b | https://evil.example &lt;script&gt;'
  const report = renderAiReport({
    scanId: 'scn_1',
    fileName: evil,
    scannedAt: new Date('2026-03-10T12:00:00Z'),
    model: evil,
    timeTaken: '1.5 milliseconds',
    notes: evil,
    securityScore: { score: 80, rating: 'Good', summary: { total: 1, critical: 1, high: 0, medium: 0, low: 0 } },
    results: {
      summary: evil,
      recommendations: [evil],
      suppressed: [],
      vulnerabilities: [
        {
          vulnerabilityId: null,
          title: evil,
          severity: 'high',
          confidence: 'low',
          line: 1,
          endLine: 2,
          description: evil,
          recommendation: evil,
          agreement: 'ai',
          aiVerdict: 'doubted',
          aiReason: evil,
        },
      ],
    },
  })
  expect(report).not.toMatch(/<[a-z!/]/i)
  expect(report).not.toMatch(/(?<!\\)\]\(/)
  expect(report).not.toMatch(/(?<!\\)!\[/)
  expect(report).not.toMatch(/https?:\/\//)
  expect(report.split('\n').filter((line) => /^#+ /.test(line))).toHaveLength(5)
  expect(plain('a\nb')).toBe('a b')
  expect(plain('1. one')).toBe('1\\. one')
  expect(plain('- x, see www.evil.example, HTTPS://e.example, javascript:x, a@e.example; time: 3')).toBe(
    '\\- x, see www\\.evil.example, HTTPS\\://e.example, javascript\\:x, a\\@e.example; time: 3',
  )
})

test('an answer with far more verdicts than candidates is read no further than they reach', () => {
  const quote = 'balances[msg.sender] = 0;'
  const verdict = (candidate: number) => ({ candidate, verdict: 'confirmed', reason: `r${candidate}`, quote })
  const { vulnerabilities } = merge({
    verdicts: [verdict(7), verdict(1), ...Array.from({ length: 300 }, () => verdict(1))],
  })
  expect(vulnerabilities[0]).toMatchObject({ agreement: 'both', aiReason: 'r1' })
})

test('a quote of several lines may leave out empty ones and be set differently, the nearest place counts', () => {
  const long = `a ( 1 );\n\nb ( 2 );\n${'filler();\n'.repeat(50_000)}a(1);\nb(2);\n`
  const quotes = createQuoteFinder(long)
  expect(quotes.find('1| a(1);\n2| b(2);', 1)).toBe(1)
  expect(quotes.find('a(1);\nb(2);', 60_000)).toBe(50_004)
  expect(quotes.find('b(2);\na(1);', 1)).toBeUndefined()
  expect(quotes.find('filler();', 700)).toBe(700)
  expect(quotes.find('}', 1)).toBeUndefined()
  expect([quotes.hasCode(1), quotes.hasCode(2)]).toEqual([true, false])
})
