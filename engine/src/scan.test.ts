/** Whatever the text is, a scan answers: with findings, with what it could not read, and never with an exception. */
import { describe, expect, test } from 'vitest'
import { type Detector, detectors, scan, scanFiles, toProjectResult } from './index.ts'

const codesOf = (source: string) => scan(source).diagnostics.map(({ code }) => code)

test('a scan reports what the detectors find, at its place', () => {
  const report = scan(
    'pragma solidity 0.8.28;\ncontract A {\n  function f() external {\n    selfdestruct(payable(msg.sender));\n  }\n}\n',
  )
  expect(report.findings).toMatchObject([{ swc: 'SWC-106', line: 4, contract: 'A', function: 'f' }])
  expect(report.completeness).toBe('full')
})

test.each([
  ['nothing', ''],
  ['blanks', ' \n\t\n'],
  ['binary', Array.from({ length: 4000 }, (_, i) => String.fromCharCode((i * 7919) % 65536)).join('')],
  ['lone surrogates', '\ud800\udc00\ud800 contract A { string s = "\udfff"; }'],
  ['a truncated contract', 'pragma solidity ^0.8.0; contract A { function f() public { if (x'],
  ['closing brackets only', '}'.repeat(5000)],
  [
    'a member that lost its name',
    'pragma solidity ^0.5.0; contract Bank { functrns(bytes32) { return(keccak256("x")); } }',
  ],
  ['prose', 'Dear auditors, please find attached the contract of our new token.'],
])('%s is answered', (_, source) => {
  const report = scan(source)
  expect(report.findings).toBeInstanceOf(Array)
})

test('ten thousand nested brackets', () => {
  for (const [open, close] of [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
  ] as const) {
    const report = scan(`contract A { function f() public { x = ${open.repeat(10_000)}1${close.repeat(10_000)}; } }`)
    expect(report.parseErrors.length + report.diagnostics.length).toBeGreaterThan(0)
  }
})

test('ten thousand operators in one expression', () => {
  const sum = Array.from({ length: 10_000 }, (_, i) => `a${i % 3}`).join(' + ')
  const report = scan(
    `pragma solidity 0.8.28; contract A { function f(uint a0, uint a1, uint a2) public pure returns (uint) { return ${sum}; } }`,
  )
  expect(report.parseErrors).toEqual([])
  const unchecked = `contract A { function f(uint a) public pure returns (uint) { return a${' + a'.repeat(10_000)}; } }`
  expect(codesOf(unchecked)).not.toContain('detector-failed')
})

test('five thousand branches in one chain are read as far as it goes', () => {
  const chain = Array.from({ length: 5_000 }, (_, i) => `if (x == ${i}) { y = ${i}; }`).join(' else ')
  const report = scan(`pragma solidity 0.8.28; contract A { uint y; function f(uint x) public { ${chain} } }`)
  expect(report.unreadable).toBeNull()
})

test('forty thousand conditions on one way, and a call chained fifty thousand times', () => {
  const within = (body: string): string =>
    `pragma solidity 0.8.28; contract A { function f(uint a) public pure returns (uint) { ${body} return a; } }`
  expect(scan(within(`require(a > 0${' && a > 0'.repeat(40_000)});`)).unreadable).toBeNull()
  expect(scan(within(`a${'()'.repeat(50_000)};`)).completeness).toBe('partial')
})

test('a thousand calls in one function, each with a test of its own; more than a flow has steps for are reported', () => {
  const withCalls = (count: number): string =>
    `pragma solidity 0.8.28; contract A { uint x; function f(address p) public { ${'(bool s, ) = p.call(""); if (s) x++;'.repeat(count)} } }`
  expect(scan(withCalls(1_000)).completeness).toBe('full')
  const beyond = scan(withCalls(4_000))
  expect(beyond.completeness).toBe('partial')
  expect(beyond.diagnostics.map(({ code }) => code)).toContain('budget-exhausted')
})

test('five megabytes of a comment that never ends', () => {
  const report = scan(`contract A {} /* ${'x'.repeat(5 * 1024 * 1024)}`)
  expect(report.parseErrors.length).toBeGreaterThan(0)
})

test('a hundred thousand tiny functions', () => {
  const functions = Array.from({ length: 100_000 }, (_, i) => `function f${i}() public {}`).join('\n')
  const report = scan(`pragma solidity 0.8.28; contract A { ${functions} }`)
  expect(report.parseErrors).toEqual([])
})

test('inheritance without end', () => {
  expect(codesOf('contract A is A {}')).toContain('analysis-note')
  expect(codesOf('contract A is B {} contract B is C {} contract C is A {}')).toContain('analysis-note')
})

test('two contracts with one name, and structs that contain themselves', () => {
  expect(codesOf('contract A {} contract A {}')).toContain('analysis-note')
  expect(codesOf('contract A { struct S { S s; } S s; function f() public { s = s; } }')).toContain('analysis-note')
})

test('functions that call each other without end', () => {
  const report = scan(
    'pragma solidity 0.8.28; contract A { function f() public { g(); } function g() public { f(); this.f(); } }',
  )
  expect(report.parseErrors).toEqual([])
})

test('a missing import is said and the rest is scanned', () => {
  const report = scan(
    'pragma solidity 0.8.28; import "./gone.sol"; contract A is Gone { function f() external { selfdestruct(payable(msg.sender)); } }',
  )
  expect(report.diagnostics.map(({ code }) => code)).toContain('import-missing')
  expect(report.findings.map(({ swc }) => swc)).toContain('SWC-106')
})

test('a base that is not there lowers the confidence, not the severity', () => {
  const source = (head: string) =>
    `pragma solidity 0.8.28; ${head} { function f() external { selfdestruct(payable(msg.sender)); } }`
  const [sure] = scan(source('contract A')).findings
  const [unsure] = scan(source('import "./gone.sol"; contract A is Gone')).findings
  expect(sure).toMatchObject({ confidence: 'high', severity: 'critical' })
  expect(unsure).toMatchObject({ confidence: 'medium', severity: 'critical' })
})

test('what a test does is less sure than what a contract does, though it reads the same', () => {
  const drained = (
    own: string,
  ) => `pragma solidity 0.8.24; import "forge-std/Test.sol"; contract A is Test { mapping(address => uint) left;
    function put() external payable { left[msg.sender] += msg.value; }
    function take() external { (bool ok,) = msg.sender.call{value: left[msg.sender]}(""); require(ok); left[msg.sender] = 0; } ${own} }`
  const confidenceOf = (own: string) =>
    scan(drained(own)).findings.find(({ detector }) => detector === 'reentrancy')?.confidence
  expect(confidenceOf('')).toBe('high')
  expect(confidenceOf('function testTake() external { vm.warp(100); this.take(); }')).toBe('medium')
})

test('files given together see each other, in circles too, and each gets its own report', () => {
  const reports = scanFiles([
    {
      path: 'a.sol',
      text: 'pragma solidity 0.8.28; import "./b.sol"; contract A is Guarded { function f() external onlyOwner { selfdestruct(payable(msg.sender)); } }',
    },
    {
      path: 'b.sol',
      text: 'pragma solidity 0.8.28; import "./a.sol"; contract Guarded { address owner = msg.sender; modifier onlyOwner() { require(msg.sender == owner); _; } }',
    },
  ])
  expect(reports.map(({ path }) => path)).toEqual(['a.sol', 'b.sol'])
  expect(reports.flatMap(({ findings }) => findings.filter(({ swc }) => swc === 'SWC-106'))).toEqual([])
})

test('what no reported file imports, by whatever way, is not analysed', () => {
  const seen: string[][] = []
  const [first] = detectors
  const witness = {
    ...(first as Detector),
    id: 'witness',
    candidates: undefined,
    *candidatesInModel(model: { readonly files: readonly { readonly path: string }[] }) {
      seen.push(model.files.map(({ path }) => path))
    },
  } as unknown as Detector
  const files = [
    { path: 'src/A.sol', text: 'import "lib/B.sol"; contract A is B {}' },
    { path: 'lib/B.sol', text: 'import "lib/C.sol"; contract B is C {}' },
    { path: 'lib/C.sol', text: 'import "lib/B.sol"; contract C {}' },
    {
      path: 'lib/D.sol',
      text: 'import "src/A.sol"; contract D is A { function f() external { selfdestruct(payable(msg.sender)); } }',
    },
  ]
  const reports = scanFiles(files, { reported: ['src/A.sol'], rules: [witness] })
  expect(reports.map(({ path }) => path)).toEqual(['src/A.sol'])
  expect(seen).toEqual([['lib/B.sol', 'lib/C.sol', 'src/A.sol']])
  scanFiles(files, { rules: [witness] })
  expect(seen[1]).toEqual(files.map(({ path }) => path).sort())
})

test('a library is judged in its hosts, also in those that are not reported', () => {
  const others = Array.from({ length: 90 }, (_, i) => `function idle${i}() external {}`).join('\n')
  const files = [
    {
      path: 'Pay.sol',
      text: 'pragma solidity 0.8.28;\nlibrary Pay { function out(address payable to, uint256 amount) internal { to.transfer(amount); } }',
    },
    {
      path: 'Host.sol',
      text: `pragma solidity 0.8.28; import "./Pay.sol"; contract Host { receive() external payable {}
        function sweep(address payable to) external { Pay.out(to, address(this).balance); } }`,
    },
    {
      path: 'Main.sol',
      text: `pragma solidity 0.8.28; import "./Host.sol"; contract Main { Host immutable host = new Host();\n${others}\n}`,
    },
  ]
  const [whole] = scanFiles(files)
  expect(whole?.findings.map(({ detector }) => detector)).toContain('unprotected-ether-withdrawal')
  expect(scanFiles(files, { reported: ['Pay.sol', 'Main.sol'] })[0]).toEqual(whole)
})

test('remappings lead imports to given files', () => {
  const files = [
    { path: 'src/a.sol', text: 'pragma solidity 0.8.28; import "@lib/G.sol"; contract A is G {}' },
    { path: 'vendor/lib/G.sol', text: 'pragma solidity 0.8.28; contract G {}' },
  ]
  const codes = (remappings: string[]) => scanFiles(files, { remappings })[0]?.diagnostics.map(({ code }) => code)
  expect(codes(['@lib/=vendor/lib/'])).toEqual([])
  expect(codes([])).toContain('import-missing')
})

test('one scan and the next say the same', () => {
  const source =
    'pragma solidity ^0.4.24; contract A { mapping(address => uint) b; function f() public { msg.sender.call.value(b[msg.sender])(); b[msg.sender] = 0; } }'
  expect(scan(source)).toEqual(scan(source))
})

const manyContracts = (last: string): string => {
  const contract = (i: number, body: string): string =>
    `contract C${i} {\n  uint public total;\n  function add(uint amount) external {\n    ${body}\n  }\n}\n`
  const usual = Array.from({ length: 800 }, (_, i) =>
    contract(i, 'total += amount; // one more contract of the usual kind'),
  )
  return `pragma solidity 0.8.28;\n${usual.join('')}${contract(800, last)}`
}

test('of a large text every contract is read, to its last one', () => {
  const report = scan(manyContracts('uint idle = amount; total == amount; selfdestruct(payable(msg.sender));'))
  const lines = report.findings.filter(({ contract }) => contract === 'C800').map(({ swc }) => swc)
  expect(lines).toEqual(expect.arrayContaining(['SWC-106', 'SWC-131', 'SWC-135']))
  expect(report.completeness).toBe('full')
  expect(report.findings.filter(({ contract }) => contract !== 'C800')).toEqual([])
})

test('a fault in the last body of a large text is reported, and the rest is read', () => {
  const report = scan(manyContracts('total += amount; total = ; selfdestruct(payable(msg.sender));'))
  expect(report.parseErrors).toHaveLength(1)
  expect(report.completeness).toBe('partial')
  expect(report.findings.map(({ swc }) => swc)).toEqual(['SWC-106'])
})

const vault = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
contract Vault {
    mapping(address => uint256) public bal;
    function deposit() external payable { bal[msg.sender] += msg.value; }
    function withdraw() external { _auth(); _send(msg.sender, bal[msg.sender]); bal[msg.sender] = 0; }
    function sweep(address to) external { _auth(); _send(to, address(this).balance); }
    function _auth() internal view virtual {}
    function _send(address to, uint256 amount) internal virtual { (bool ok,) = to.call{value: amount}(""); require(ok); }
}`
const queue = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
contract Queue {
    address immutable owner = msg.sender;
    receive() external payable {}
    function pay(address to, uint256 amount) external { require(msg.sender == owner); _sendValue(to, amount); }
    function _sendValue(address to, uint256 amount) internal { (bool ok,) = to.call{value: amount}(""); require(ok); }
}`

test('product and tests are analysed once each, and only what is wanted', () => {
  const files = [
    { path: 'src/Vault.sol', text: vault },
    { path: 'test/Vault.t.sol', text: 'import "../src/Vault.sol"; contract VaultTest is Vault {}' },
  ]
  const all = scanFiles(files)
  const analyzed = (reported?: readonly string[]) => {
    let analyses = 0
    const counting: Detector = {
      ...detectors[0]!,
      id: 'counting',
      candidates: () => [],
      candidatesInModel() {
        analyses += 1
        return []
      },
    }
    const reports = scanFiles(files, { rules: [counting], ...(reported && { reported }) })
    return { analyses, reports }
  }
  expect(analyzed()).toEqual({ analyses: 2, reports: all })
  expect(analyzed(['src/Vault.sol'])).toEqual({ analyses: 1, reports: [all[0]] })
  expect(analyzed(['test/Vault.t.sol'])).toEqual({ analyses: 1, reports: [all[1]] })
})

test('a harness neither hides nor makes findings in the product', () => {
  const product = [
    { path: 'src/Vault.sol', text: vault },
    { path: 'src/Queue.sol', text: queue },
  ]
  const harnesses = [
    {
      path: 'test/VaultHarness.sol',
      text: `import "../src/Vault.sol"; contract VaultHarness is Vault { address owner = msg.sender;
        function _auth() internal view override { require(msg.sender == owner); }
        function _send(address to, uint256 amount) internal override {} }`,
    },
    {
      path: 'test/QueueHarness.sol',
      text: `import "../src/Queue.sol"; contract QueueHarness is Queue {
        function harness_sendValue(address to, uint256 amount) external { _sendValue(to, amount); } }`,
    },
  ]
  const found = (files: readonly { path: string; text: string }[]): string[][] =>
    scanFiles(files)
      .slice(0, 2)
      .map(({ findings }) => findings.map(({ detector, line }) => `${detector} ${line}`))
  const alone = found(product)
  expect(alone[0]).toContain('reentrancy 6')
  expect(alone[0]?.some((each) => each.startsWith('unprotected-ether-withdrawal'))).toBe(true)
  expect(alone[1]?.some((each) => each.startsWith('unprotected-ether-withdrawal'))).toBe(false)
  expect(found([...product, ...harnesses])).toEqual(alone)
})

/** As many functions as fill a partition. */
const partOf = (name: string): string =>
  Array.from(
    { length: 100 },
    (_, i) => `  function at${name}${i}() external pure returns (uint256) { return ${i}; }\n`,
  ).join('')

const filled = (name: string, more = ''): string =>
  `pragma solidity 0.8.28;\n${more}contract ${name} {\n${partOf(name)}}\n`

test('the files that are reported are counted as they are analysed, from none to all', () => {
  const reportedProgress: { filesDone: number; files: number }[] = []
  const files = [
    { path: 'src/A.sol', text: filled('A') },
    { path: 'src/B.sol', text: filled('B', 'import "./Base.sol";\n').replace('contract B', 'contract B is Base') },
    { path: 'src/Base.sol', text: filled('Base') },
    { path: 'src/constants.sol', text: 'pragma solidity 0.8.28;\nuint256 constant MAX = 1;\n' },
    { path: 'test/A.t.sol', text: filled('ATest') },
  ]
  const onProgress = (progress: { filesDone: number; files: number }): void => void reportedProgress.push(progress)
  scanFiles(files, { reported: files.slice(0, 4).map(({ path }) => path), onProgress })
  expect(reportedProgress.map(({ filesDone }) => filesDone)).toEqual([0, 1, 2, 3, 4])
  expect(new Set(reportedProgress.map(({ files }) => files))).toEqual(new Set([4]))
  reportedProgress.length = 0
  // Tests are looked at in a pass of their own, in which nothing is counted twice.
  scanFiles(files, { onProgress })
  expect(reportedProgress.map(({ filesDone }) => filesDone)).toEqual([0, 1, 2, 3, 4, 5])
})

/** Time is up when this many detectors were asked. */
const after = (analyzed: number) => {
  let rest = analyzed
  return { isTimeUp: () => rest-- <= 0 }
}

describe('when the time of a scan is used up', () => {
  const guilty = 'function end() external { selfdestruct(payable(msg.sender)); }'
  const files = ['A', 'B', 'C'].map((name) => ({
    path: `src/${name}.sol`,
    text: filled(name).replace('{', `{ ${guilty}`),
  }))

  test('what was analyzed by then is reported, and the files that were not reached are named', () => {
    const reportedProgress: { filesDone: number; files: number }[] = []
    const onProgress = (progress: { filesDone: number; files: number }): void => void reportedProgress.push(progress)
    // The second partition is begun and not finished.
    const reports = scanFiles(files, { ...after(detectors.length + 5), onProgress })
    expect(reports.map(({ completeness }) => completeness)).toEqual(['full', 'partial', 'partial'])
    expect(reports[0]?.findings.map(({ swc }) => swc)).toContain('SWC-106')
    expect(reports[2]).toMatchObject({
      findings: [],
      diagnostics: [
        {
          code: 'not-reached',
          line: 2,
          message: 'Not analyzed to the end: `C`. The time of the scan was used up.',
        },
      ],
    })
    expect(reportedProgress.at(-1)).toEqual({ filesDone: 1, files: 3 })
    const { message, files: listed } = toProjectResult(reports, { scanId: 'scn_1', file: 'uploads/scn_1' })
    expect(message).toMatch(
      /^Incomplete: .*the time of the scan was used up before 2 files were reached \(src\/B.sol, src\/C.sol\)/,
    )
    expect(listed?.map(({ completeness }) => completeness)).toEqual(['full', 'partial', 'partial'])
  })

  test('what is found in the text alone is found of every file', () => {
    const floating = files.map(({ path, text }) => ({ path, text: text.replace('0.8.28', '^0.8.28') }))
    const reports = scanFiles(floating, after(0))
    expect(reports.map(({ findings }) => findings.map(({ swc }) => swc))).toEqual(Array(3).fill(['SWC-103']))
  })

  test('dependencies are read and take no time of the product', () => {
    const library = { path: 'lib/Library.sol', text: filled('Library') }
    const importing = files.map(({ path, text }) => ({ path, text: `import "../lib/Library.sol";\n${text}` }))
    const reported = files.map(({ path }) => path)
    const reports = scanFiles([library, ...importing], { reported, ...after(3 * detectors.length) })
    expect(reports.map(({ path, completeness }) => [path, completeness])).toEqual(
      reported.map((path) => [path, 'full']),
    )
  })
})

test('a pragma that floats beside a pinned import is less sure: one compiler alone can build both', () => {
  const counter = {
    path: 'Counter.sol',
    text: 'pragma solidity ^0.8.0;\nimport "./Base.sol";\ncontract Counter is Base { uint256 public count; }\n',
  }
  const sureOf = (pragma: string) =>
    scanFiles([counter, { path: 'Base.sol', text: `pragma solidity ${pragma};\nabstract contract Base {}\n` }])
      .find(({ path }) => path === 'Counter.sol')!
      .findings.map(({ swc, confidence }) => [swc, confidence])
  expect(sureOf('0.8.28')).toEqual([['SWC-103', 'medium']])
  expect(sureOf('>=0.8.20')).toEqual([['SWC-103', 'high']])
})
