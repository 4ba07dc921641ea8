import { describe, expect, test } from 'vitest'
import { loadDetectorExamples } from '../detectors/examples.ts'
import { compareScans } from './compare-scans.ts'
import { engineVersion } from './engine-version.ts'
import { toHtml } from './html.ts'
import { toMarkdown } from './markdown.ts'
import { toSarif, toUri } from './sarif.ts'
import type { ScanResult, WireVulnerability } from './wire.ts'

const finding = (overrides: Partial<WireVulnerability> = {}): WireVulnerability => ({
  vulnerabilityId: 'SWC-103',
  name: 'Floating Pragma',
  title: 'Floating pragma',
  severity: 'high',
  confidence: 'high',
  detector: 'floating-pragma',
  contract: null,
  function: null,
  line: 2,
  column: 1,
  endLine: 2,
  endColumn: 24,
  snippet: 'pragma solidity ^0.8.0;',
  message: '`^0.8.0` allows more than one compiler version.',
  recommendation: 'Pin it.',
  references: ['https://swcregistry.io/docs/SWC-103'],
  cwe: ['CWE-664'],
  fingerprint: '0123456789abcdef0123456789abcdef',
  trace: [],
  ...overrides,
})

const result = (overrides: Partial<ScanResult> = {}): ScanResult => ({
  success: true,
  message: 'Scan completed: 1 vulnerability found.',
  scanId: 'scan_1',
  file: 'uploads/scan_1.sol',
  vulnerabilitiesCount: 1,
  dataVulnerabilities: [finding()],
  advisories: [],
  suppressed: [],
  parseErrors: [],
  diagnostics: [],
  completeness: 'full',
  securityScore: { score: 90, rating: 'Excellent', summary: { total: 1, critical: 0, high: 1, medium: 0, low: 0 } },
  bestPractices: { recommendations: ['Pin it.'], checklist: [{ category: 'Compiler', items: ['Pin `solc`.'] }] },
  counts: { critical: 0, high: 1, medium: 0, low: 0, info: 0, advisories: 0, suppressed: 0 },
  engineVersion,
  ...overrides,
})

interface Run {
  readonly tool: { readonly driver: { readonly rules: Rule[] } }
  readonly results: Result[]
  readonly invocations: {
    readonly executionSuccessful: boolean
    readonly toolExecutionNotifications: { readonly descriptor: { readonly id: string } }[]
  }[]
}
interface Rule {
  readonly id: string
  readonly name?: string
  readonly help: { readonly text: string; readonly markdown: string }
  readonly defaultConfiguration: { readonly level: string }
  readonly properties: { readonly tags: string[]; readonly 'security-severity': string }
}
interface Location {
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string }
    readonly region: Record<string, number>
  }
}
interface Result {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly level: string
  readonly baselineState?: string
  readonly message: { readonly text: string }
  readonly locations: Location[]
  readonly relatedLocations?: (Location & { readonly id: number })[]
  readonly properties: { readonly needsReview: boolean }
  readonly codeFlows?: { readonly threadFlows: { readonly locations: { readonly location: Location }[] }[] }[]
  readonly partialFingerprints: Record<string, string>
  readonly suppressions: { readonly kind: string; readonly justification: string }[]
}

const runOf = (...results: ScanResult[]): Run => {
  const log = toSarif(results, { version: '1.2.3' }) as { version: string; runs: [Run] }
  expect(log.version).toBe('2.1.0')
  expect(log.runs).toHaveLength(1)
  return log.runs[0]
}

describe('SARIF', () => {
  test('every result has what code scanning demands', () => {
    const run = runOf(
      result({
        dataVulnerabilities: [finding(), finding({ line: 0, column: 0, endLine: 0, endColumn: 0, fingerprint: 'b' })],
      }),
    )
    for (const each of run.results) {
      const { artifactLocation, region } = each.locations[0]?.physicalLocation ?? {}
      expect(artifactLocation?.uri).toBe('uploads/scan_1.sol')
      expect(region?.startLine).toBeGreaterThanOrEqual(1)
      expect(region?.startColumn).toBeGreaterThanOrEqual(1)
      expect(each.message.text).not.toBe('')
      expect(run.tool.driver.rules[each.ruleIndex]?.id).toBe(each.ruleId)
    }
  })

  test('columns are kept, the end exclusive', () => {
    expect(runOf(result()).results[0]?.locations[0]?.physicalLocation.region).toMatchObject({
      startLine: 2,
      startColumn: 1,
      endLine: 2,
      endColumn: 24,
    })
  })

  test.each([
    ['critical', 'error'],
    ['high', 'error'],
    ['medium', 'warning'],
    ['low', 'note'],
    ['info', 'note'],
  ] as const)('%s is level %s', (severity, level) => {
    expect(runOf(result({ dataVulnerabilities: [finding({ severity })] })).results[0]?.level).toBe(level)
  })

  test('outside the SWC list the level is that of the severity, and what needs review is a note', () => {
    const { vulnerabilityId: _, ...advisory } = finding({ severity: 'critical', detector: 'locked-ether' })
    const review = { ...advisory, severity: 'medium' as const, kind: 'review' as const }
    const run = runOf(result({ dataVulnerabilities: [], advisories: [advisory, review] }))
    expect(run.results.map(({ level }) => level)).toEqual(['error', 'note'])
    expect(run.results.map(({ properties }) => properties.needsReview)).toEqual([false, true])
  })

  test('every place of a finding is a related location that the message links to', () => {
    const places = [
      { file: 'src/B.sol', line: 7, column: 1, endLine: 7, endColumn: 9 },
      { line: 9, column: 1, endLine: 9, endColumn: 9 },
    ]
    const [only, ...others] = runOf(result({ dataVulnerabilities: [finding({ places })] })).results
    expect(others).toEqual([])
    expect(only?.message.text).toMatch(/ Also at \[src\/B\.sol:7\]\(1\), \[line:9\]\(2\)\.$/)
    expect(
      only?.relatedLocations?.map(({ id, physicalLocation: { artifactLocation, region } }) => [
        id,
        artifactLocation.uri,
        region.startLine,
      ]),
    ).toEqual([
      [1, 'src/B.sol', 7],
      [2, 'uploads/scan_1.sol', 9],
    ])
  })

  test('a scan that read a part is no success, and its notifications say what is missing', () => {
    const diagnostics = [{ code: 'budget-exhausted' as const, message: 'too much to inline at f', line: 3 }]
    const [invocation] = runOf(result({ completeness: 'partial', diagnostics })).invocations
    expect(invocation).toMatchObject({
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: 'warning', descriptor: { id: 'budget-exhausted' } }],
    })
    expect(runOf(result()).invocations[0]?.executionSuccessful).toBe(true)
  })

  test('which code it was is reported as far as it is known', () => {
    const sarifOf = (provenance: object) => {
      const sarif = toSarif([result()], { version: '1.0.0', informationUri: 'https://example.org/', provenance })
      return (sarif.runs as Record<string, unknown>[])[0]
    }
    expect(
      sarifOf({ project: 'core', repository: 'https://example.org/core', commit: 'abc', ref: 'main' }),
    ).toMatchObject({
      automationDetails: { id: 'assay/core/' },
      versionControlProvenance: [{ repositoryUri: 'https://example.org/core', revisionId: 'abc', branch: 'main' }],
      tool: { driver: { informationUri: 'https://example.org/' } },
    })
    expect(sarifOf({ commit: 'abc' })).not.toHaveProperty('versionControlProvenance')
  })

  test('rules carry help, severity and few tags', () => {
    const [rule] = runOf(result()).tool.driver.rules
    expect(rule?.help.text).toContain('What to do')
    expect(rule?.help.markdown).toContain('https://swcregistry.io')
    expect(rule?.properties['security-severity']).toBe('8.0')
    expect(rule?.properties.tags).toContain('external/cwe/cwe-664')
    expect(rule?.properties.tags.length).toBeLessThanOrEqual(10)
  })

  test('the help of a rule is its page, and a link leads there when it is said where the pages are', async () => {
    const examples = await loadDetectorExamples()
    const ruleWith = (options: { pages?: string }) => {
      const { runs } = toSarif([result()], { version: '1', examples, ...options }) as { runs: [Run] }
      return runs[0].tool.driver.rules[0] as Rule & { helpUri?: string }
    }
    const { help, helpUri } = ruleWith({})
    for (const part of ['How it is attacked', 'Fixed', 'Stays silent when', 'Known limits'])
      expect(help.markdown).toContain(`## ${part}\n`)
    expect(helpUri).toBeUndefined()
    expect(ruleWith({ pages: 'https://pages.example/' }).helpUri).toBe('https://pages.example/floating-pragma.md')
  })

  test('a rule of someone else has no page of Assay', () => {
    const own = finding({ detector: 'no-block-number' })
    const log = toSarif([result({ dataVulnerabilities: [own] })], { version: '1', pages: 'https://pages.example/' })
    expect(JSON.stringify(log)).not.toContain('pages.example')
  })

  test('a rule has a name only where it says more than the id', () => {
    const nameOf = (detector: string) =>
      runOf(result({ dataVulnerabilities: [finding({ detector })] })).tool.driver.rules[0]?.name
    expect([nameOf('floating-pragma'), nameOf('reentrancy')]).toEqual(['FloatingPragma', undefined])
  })

  test('one rule for many results, and many files in one run', () => {
    const run = runOf(result(), result({ file: 'b.sol', dataVulnerabilities: [finding(), finding({ line: 9 })] }))
    expect(run.tool.driver.rules).toHaveLength(1)
    expect(run.results.map((each) => each.locations[0]?.physicalLocation.artifactLocation.uri)).toEqual([
      'uploads/scan_1.sol',
      'b.sol',
      'b.sol',
    ])
  })

  test('a trace becomes a code flow that ends at the finding', () => {
    const trace = [{ line: 7, column: 3, endLine: 7, endColumn: 9, message: 'written here' }]
    const [each] = runOf(result({ dataVulnerabilities: [finding({ trace })] })).results
    const lines = each?.codeFlows?.[0]?.threadFlows[0]?.locations.map(
      ({ location }) => location.physicalLocation.region.startLine,
    )
    expect(lines).toEqual([7, 2])
  })

  test('a long trace stays under the limit', () => {
    const trace = Array.from({ length: 20_000 }, () => ({ line: 7, column: 3, endLine: 7, endColumn: 9, message: 'x' }))
    const [each] = runOf(result({ dataVulnerabilities: [finding({ trace })] })).results
    expect(each?.codeFlows?.[0]?.threadFlows[0]?.locations.length).toBe(1000)
  })

  test('no more than 25,000 results: the mildest go, and it says so', () => {
    const many = Array.from({ length: 25_001 }, (_, i) => finding({ severity: i === 0 ? 'low' : 'high', line: i + 1 }))
    const run = runOf(result({ dataVulnerabilities: many }))
    expect(run.results).toHaveLength(25_000)
    expect(run.results.every(({ level }) => level === 'error')).toBe(true)
    expect(run.invocations[0]?.toolExecutionNotifications.map(({ descriptor }) => descriptor.id)).toContain(
      'too-many-results',
    )
  })

  test('fingerprints are partial fingerprints, the one GitHub reads too', () => {
    expect(runOf(result()).results[0]?.partialFingerprints).toEqual({
      primaryLocationLineHash: '0123456789abcdef:1',
      'assayFingerprint/v1': '0123456789abcdef0123456789abcdef',
    })
  })

  test('suppressed findings are there with their reason', () => {
    const suppression = { comment: 'assay-ignore SWC-103: library', reason: 'library', line: 1 }
    const run = runOf(result({ dataVulnerabilities: [], suppressed: [{ ...finding(), suppression }] }))
    expect(run.results[0]?.suppressions).toEqual([{ kind: 'inSource', status: 'accepted', justification: 'library' }])
  })

  test('a compared scan carries baseline states, fixed ones as absent', () => {
    const before = result({ dataVulnerabilities: [finding(), finding({ fingerprint: 'gone' })] })
    const after = result({ dataVulnerabilities: [finding(), finding({ fingerprint: 'fresh' })] })
    expect(runOf(compareScans(before, after)).results.map(({ baselineState }) => baselineState)).toEqual([
      'unchanged',
      'new',
      'absent',
    ])
  })

  test.each([
    ['/etc/passwd', 'etc/passwd'],
    ['C:\\repo\\a b.sol', 'repo/a%20b.sol'],
    ['javascript:alert(1).sol', 'javascript%3Aalert(1).sol'],
    ['./x/#y?.sol', 'x/%23y%3F.sol'],
    ['\ud800.sol', '%EF%BF%BD.sol'],
    ['', 'contract.sol'],
  ])('the path %j becomes the relative reference %j', (file, uri) => {
    expect(toUri(file)).toBe(uri)
  })

  test('what could not be parsed is a notification', () => {
    const parseErrors = [{ line: 3, column: 1, endLine: 4, endColumn: 1, message: 'expected `;`' }]
    const run = runOf(result({ parseErrors }))
    expect(run.invocations[0]?.toolExecutionNotifications[0]?.descriptor.id).toBe('parse-error')
  })
})

describe('comparing scans', () => {
  test('new, unchanged and fixed are distinguished by fingerprint alone', () => {
    const before = result({ scanId: 'before', dataVulnerabilities: [finding(), finding({ fingerprint: 'gone' })] })
    const after = result({ dataVulnerabilities: [finding({ line: 40 }), finding({ fingerprint: 'fresh' })] })
    const compared = compareScans(before, after)
    expect(compared.dataVulnerabilities.map(({ baselineState }) => baselineState)).toEqual(['unchanged', 'new'])
    expect(compared.baseline).toMatchObject({ baselineScanId: 'before', newCount: 1, unchangedCount: 1, fixedCount: 1 })
    const { dataVulnerabilities: advisories } = after
    expect(compareScans(before, result({ advisories })).baseline.advisories).toEqual({ newCount: 1, unchangedCount: 1 })
    expect(compared.baseline.fixed.map(({ fingerprint }) => fingerprint)).toEqual(['gone'])
  })

  test('what is now suppressed is not fixed', () => {
    const suppression = { comment: 'assay-ignore SWC-103: x', reason: 'x', line: 1 }
    const after = result({ dataVulnerabilities: [], suppressed: [{ ...finding(), suppression }] })
    expect(compareScans(result(), after).baseline.fixedCount).toBe(0)
  })
})

const hostile =
  '"><script>alert(1)</script><img src=x onerror=alert(2)>`|\n# h\r\n```\n[x](javascript:alert(3)) \u202e&amp;'

const hostileResult = (): ScanResult =>
  result({
    file: hostile,
    scanId: hostile,
    message: hostile,
    dataVulnerabilities: [
      finding({
        name: hostile,
        contract: hostile,
        function: hostile,
        snippet: hostile,
        message: hostile,
        recommendation: hostile,
        references: ['javascript:alert(1)', 'https://example.org/"onmouseover="x'],
        cwe: [hostile],
        detector: hostile,
        trace: [{ line: 1, column: 1, endLine: 1, endColumn: 2, message: hostile }],
      }),
    ],
    suppressed: [{ ...finding(), suppression: { comment: hostile, reason: hostile, line: 1 } }],
    parseErrors: [{ line: 1, column: 1, endLine: 1, endColumn: 1, message: hostile }],
    diagnostics: [{ code: 'analysis-note', message: hostile, line: null }],
    bestPractices: { recommendations: [hostile], checklist: [{ category: hostile, items: [hostile] }] },
  })

describe('HTML', () => {
  test('findings are hidden by severity and by detector without a script', () => {
    const [finding] = result().dataVulnerabilities
    if (!finding) throw new Error('the example has a finding')
    const other = { ...finding, detector: 'another-one', severity: 'low' as const }
    const html = toHtml([{ ...result(), dataVulnerabilities: [finding, other] }])
    expect(html).toContain('<input type="checkbox" id="show-low" checked>')
    expect(html).toContain('main:has(#detector-0:not(:checked)) .finding[data-detector="another-one"]{display:none}')
    expect(html).toContain('<article class="finding low" data-detector="another-one">')
    expect(html).not.toContain('<script')
  })

  test('no text of the scan becomes markup', () => {
    const html = toHtml([hostileResult()], { title: hostile, scannedAt: hostile })
    const tags = new Set([...html.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name?.toLowerCase()))
    expect(tags).toEqual(
      new Set([
        'html',
        'head',
        'meta',
        'title',
        'style',
        'body',
        'main',
        'h1',
        'h2',
        'h3',
        'p',
        'code',
        'pre',
        'div',
        'strong',
        'ul',
        'ol',
        'li',
        'span',
        'section',
        'article',
      ]),
    )
    expect(html).not.toMatch(/<[^>]*\son\w+=/i)
    expect(html).not.toMatch(/href="(?!https:)/)
    expect(html).not.toContain('\u202e')
    expect(html).toContain('\\u202e')
  })

  test('it needs nothing from outside', () => {
    const html = toHtml([result()])
    expect(html).not.toMatch(/<(?:script|link|img|iframe|object)\b/i)
    expect(html).not.toMatch(/url\(|@import|src=/i)
    expect(html).toContain("default-src 'none'; style-src 'unsafe-inline'")
    expect(html).toContain('prefers-color-scheme:dark')
    expect(html).toContain('@media print')
  })

  test('of several files: what was found in each, as one would say it', () => {
    const other = result({ file: 'Other.sol', dataVulnerabilities: [], advisories: [finding(), finding()] })
    for (const report of [toHtml([result(), other]), toMarkdown([result(), other])]) {
      expect(report).toContain('1 finding')
      expect(report).toContain('2 findings')
      expect(report).toContain('2 outside the SWC list')
      expect(report).not.toMatch(/1 findings|0 findings|dvisor/)
    }
  })

  test('on a phone the table of kinds keeps its columns in sight', () => {
    const html = toHtml([result(), result({ file: 'Other.sol' })])
    expect(html).toContain('<table class="kinds">')
    expect(html).toMatch(/@media \(max-width:30rem\)\{[^\n]*\.kinds/)
  })

  test('a long list of what was not analyzed is folded, its headline is not', () => {
    const cut = (count: number) =>
      toHtml([
        result({
          completeness: 'partial',
          diagnostics: Array.from({ length: count }, (_, n) => ({
            code: 'budget-exhausted' as const,
            message: `too much to inline at f${n}`,
            line: n + 1,
          })),
        }),
      ])
    expect(cut(3)).not.toContain('<details>')
    expect(cut(9)).toMatch(/<strong>Incomplete: [^<]*<\/strong><\/p><details><summary>Where<\/summary><ul>.*at f8/s)
  })

  test('it shows score, finding, place and advice', () => {
    const html = toHtml([result()])
    for (const words of [
      'Score <strong>90</strong> of 100</div>',
      'SWC-103 Floating pragma',
      'line 2, column 1',
      'pragma solidity ^0.8.0;',
      'Pin it.',
    ])
      expect(html).toContain(words)
    expect(html).toContain('<code>^0.8.0</code> allows')
  })
})

describe('Markdown', () => {
  test('a snippet cannot leave its fence', () => {
    const markdown = toMarkdown([result({ dataVulnerabilities: [finding({ snippet: 'a\n```\n# b\n````\nc' })] })])
    expect(markdown).toContain('`````solidity\na\n```\n# b\n````\nc\n`````')
  })

  test('no text of the scan becomes a heading, a link or HTML', () => {
    const markdown = toMarkdown([hostileResult()], { title: hostile })
    const outside = markdown
      .replace(/^(`{3,})solidity\n[\s\S]*?\n\1$/gm, '')
      .replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, '')
    expect(outside).not.toMatch(/(?<!\\)<(?:script|img)/)
    expect(outside).not.toMatch(/(?<!\\)\]\(/)
    expect(outside.match(/^# .*/gm)).toHaveLength(1)
    expect(markdown).not.toContain('\u202e')
  })

  test('it shows score, finding, place and advice', () => {
    const markdown = toMarkdown([result()])
    for (const words of ['Score 90 of 100.', 'SWC-103 Floating pragma', 'line 2, column 1', '**What to do:** Pin it.'])
      expect(markdown).toContain(words)
    expect(markdown).toContain('`^0.8.0` allows')
    expect(markdown).toContain('- [ ] Pin `solc`.')
  })
})
