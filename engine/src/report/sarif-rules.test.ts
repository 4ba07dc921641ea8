/**
 * The rules of Microsoft's SARIF multitool, those of its GitHub profile too, that can concern what is written here; held by their published
 * ids, because the tool itself runs on x86-64 alone. SARIF2003 and GH1006 ask for the address of the repository, which is written where
 * it is known; SARIF2006 asks the network; SARIF2011, SARIF2013 ask for more of the source than a report should carry.
 */
import { expect, test } from 'vitest'
import { scan } from '../index.ts'
import { toSarif } from './sarif.ts'
import { toScanResult } from './scan-result.ts'

interface Region {
  readonly startLine: number
  readonly startColumn?: number
  readonly endLine?: number
  readonly endColumn?: number
  readonly snippet?: { readonly text: string }
}
interface Location {
  readonly id?: number
  readonly physicalLocation: {
    readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string; readonly index?: number }
    readonly region?: Region
  }
}
interface Rule {
  readonly id: string
  readonly name?: string
  readonly shortDescription?: { readonly text: string }
  readonly fullDescription?: { readonly text: string }
  readonly help?: { readonly text: string }
  readonly helpUri?: string
  readonly defaultConfiguration?: { readonly level: string }
}
interface Result {
  readonly ruleId: string
  readonly ruleIndex: number
  readonly message: { readonly text: string }
  readonly locations: readonly Location[]
  readonly relatedLocations?: readonly Location[]
  readonly codeFlows?: readonly {
    threadFlows: readonly { locations: readonly { location?: Location; index?: number }[] }[]
  }[]
  readonly partialFingerprints?: Record<string, string>
}
interface Log {
  readonly $schema: string
  readonly runs: readonly [
    {
      readonly tool: {
        readonly driver: { name: string; semanticVersion?: string; informationUri?: string; rules: readonly Rule[] }
      }
      readonly artifacts: readonly { location: { uri: string } }[]
      readonly originalUriBaseIds: Record<string, { uri?: string; description?: object }>
      readonly invocations: readonly { startTimeUtc?: string; endTimeUtc?: string; executionSuccessful: boolean }[]
      readonly results: readonly Result[]
    },
  ]
}

const vault = `pragma solidity ^0.8.20;
contract Vault {
  mapping(address => uint256) public balances;
  function deposit() external payable { balances[msg.sender] += msg.value; }
  function withdraw() external {
    (bool ok, ) = msg.sender.call{value: balances[msg.sender]}("");
    require(ok);
    balances[msg.sender] = 0;
  }
  // assay-ignore SWC-106: closed by hand
  function close() external { selfdestruct(payable(msg.sender)); }
}
`
const game = `pragma solidity ^0.7.0;
contract Game is Missing {
  address owner = tx.origin;
  uint256 total;
  function play(uint256 bet) external { if (uint256(blockhash(block.number - 1)) % 2 == 0) total += bet; }
  function pay(address payable to) external { require(tx.origin == owner); to.send(total); }
  function broken( public { ] }
}
`
const results = Object.entries({ 'src/Vault.sol': vault, 'src/a b/Game#1.sol': game }).map(([file, text]) =>
  toScanResult(scan(text), { scanId: 'scan', file }),
)
const log = toSarif(results, { version: '1.2.3', informationUri: 'https://assay.example.com/' }) as unknown as Log
const [run] = log.runs
const { driver } = run.tool
const locations = run.results.flatMap(({ locations, relatedLocations = [], codeFlows = [] }) => [
  ...locations,
  ...relatedLocations,
  ...codeFlows.flatMap(({ threadFlows }) => threadFlows.flatMap((flow) => flow.locations.map((step) => step.location))),
])
const regions = locations.flatMap((one) => one?.physicalLocation.region ?? [])
const uris = [
  ...locations.map((one) => one?.physicalLocation.artifactLocation.uri ?? ''),
  ...run.artifacts.map(({ location }) => location.uri),
]
const linked = (text: string): number[] => [...text.matchAll(/\]\((\d+)\)/g)].map(([, id]) => Number(id))

test('what is checked has results, traces, text that was not read and something suppressed', () => {
  expect(run.results.length).toBeGreaterThan(5)
  expect(run.results.some(({ codeFlows }) => codeFlows)).toBe(true)
  expect(results.map(({ completeness }) => completeness)).toContain('partial')
  expect(results.flatMap(({ suppressed }) => suppressed)).not.toEqual([])
})

/** Each gives what breaks the rule. */
const rules: readonly [id: string, name: string, breaks: () => readonly unknown[]][] = [
  ['SARIF1001', 'rule ids and names differ', () => driver.rules.filter(({ id, name }) => name?.toLowerCase() === id)],
  ['SARIF1002', 'URIs are valid', () => uris.filter((uri) => /[^\w\-./%~!$&'()*+,;=:@]/.test(uri))],
  [
    'SARIF1004',
    'base ids are declared and their URIs end with a slash',
    () => [
      ...locations.filter((one) => {
        const base = one?.physicalLocation.artifactLocation.uriBaseId
        return base !== undefined && !(base in run.originalUriBaseIds)
      }),
      ...Object.values(run.originalUriBaseIds).filter(({ uri }) => uri !== undefined && !uri.endsWith('/')),
    ],
  ],
  [
    'SARIF1005',
    'addresses of the tool are absolute',
    () =>
      [driver.informationUri, ...driver.rules.map(({ helpUri }) => helpUri)].filter(
        (uri) => uri !== undefined && !URL.canParse(uri),
      ),
  ],
  [
    'SARIF1006',
    'an invocation ends after it began',
    () =>
      run.invocations.filter(
        ({ startTimeUtc: start, endTimeUtc: end }) => start !== undefined && end !== undefined && end < start,
      ),
  ],
  [
    'SARIF1007',
    'regions end after they begin',
    () =>
      regions.filter(
        ({ startLine, startColumn = 1, endLine = startLine, endColumn }) =>
          startLine < 1 ||
          endLine < startLine ||
          (endLine === startLine && endColumn !== undefined && endColumn < startColumn),
      ),
  ],
  [
    'SARIF1009',
    'indexes lie in their arrays',
    () => run.results.filter(({ ruleIndex }) => driver.rules[ruleIndex] === undefined),
  ],
  [
    'SARIF1010',
    'the rule id of a result is that of its rule',
    () => run.results.filter(({ ruleId, ruleIndex }) => driver.rules[ruleIndex]?.id !== ruleId),
  ],
  ['SARIF1011', 'the final schema is named', () => [log.$schema].filter((uri) => !/\/sarif-2\.1\.0\.json$/.test(uri))],
  [
    'SARIF1012',
    'links of a message lead to a related location',
    () =>
      run.results.filter(({ message, relatedLocations = [] }) =>
        linked(message.text).some((id) => !relatedLocations.some((one) => one.id === id)),
      ),
  ],
  [
    'SARIF2001',
    'messages end with a period',
    () => run.results.map(({ message }) => message.text).filter((text) => !text.endsWith('.')),
  ],
  [
    'SARIF2005',
    'the tool has a name, a version and an address',
    () => [driver.name, driver.semanticVersion, driver.informationUri].filter((value) => !value),
  ],
  [
    'SARIF2007',
    'paths are relative to the root',
    () => locations.filter((one) => one?.physicalLocation.artifactLocation.uriBaseId !== '%SRCROOT%'),
  ],
  [
    'SARIF2010',
    'results show their code',
    () => run.results.filter(({ locations }) => !locations[0]?.physicalLocation.region?.snippet?.text),
  ],
  [
    'SARIF2012',
    'rules have texts and, where given, a name in Pascal case',
    () =>
      driver.rules.filter(
        ({ name, shortDescription, fullDescription, help, defaultConfiguration }) =>
          !shortDescription?.text ||
          !fullDescription?.text ||
          !help?.text ||
          !defaultConfiguration?.level ||
          (name !== undefined && !/^([A-Z][a-z0-9]*)+$/.test(name)),
      ),
  ],
  ['SARIF2016', 'file URIs are relative', () => uris.filter((uri) => /^([a-z][\w+.-]*:|\/)/i.test(uri))],
  [
    'GH1001',
    'every result has a location with a URI',
    () => run.results.filter(({ locations }) => !locations[0]?.physicalLocation.artifactLocation.uri),
  ],
  ['GH1002', 'steps of a trace are written where they are used', () => locations.filter((one) => one === undefined)],
  [
    'GH1003',
    'every region has all four numbers',
    () => regions.filter(({ startColumn, endLine, endColumn }) => !startColumn || !endLine || !endColumn),
  ],
  [
    'GH1004',
    'arrays stay under the limits',
    () => [run.results.length > 25_000, driver.rules.length > 25_000].filter(Boolean),
  ],
  [
    'GH1005',
    'locations are relative references',
    () =>
      locations.filter((one) => /^([a-z][\w+.-]*:|\/|\.\.)/i.test(one?.physicalLocation.artifactLocation.uri ?? '/')),
  ],
]

test.each(rules)('%s: %s', (_id, _name, breaks) => {
  expect(breaks()).toEqual([])
})
