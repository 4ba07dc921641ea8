import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Evidence, type Finding, scan } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { inlineTarget } from './evidence/foundry-test.ts'
import { selfContainedTest } from './evidence/self-contained-test.ts'
import { findPackages, isInstalled, loadPackages, usePackages } from './packages.ts'
import { type FindingAt, isProvable, prove } from './prove.ts'
import { runFoundryTest } from './testing/run-foundry-test.ts'

const folder = fileURLToPath(new URL('../fixtures', import.meta.url))
/** Compilers are slow to start on a busy machine; nothing here asserts a time. */
const patience = 240_000
/** Calls decide, not the time that a busy machine takes for them. */
const limits = { millisecondsPerFinding: patience, millisecondsPerScan: patience }

const readFixture = (name: string, version: 'vulnerable' | 'fixed') => {
  const text = readFileSync(join(folder, name, `${version}.sol`), 'utf8')
  const line = text.split('\n').findIndex((each) => each.includes('// flagged')) + 1
  return {
    file: { path: 'contract.sol', text },
    line,
    status: text.includes('// flagged, executed') ? 'executed' : 'confirmed',
  }
}

const findingOf = (name: string): Finding => {
  const { file, line } = readFixture(name, 'vulnerable')
  const { findings, advisories } = scan(file.text, { path: file.path })
  // A suspicion of the engine is worth an attack too.
  const finding = [...findings, ...advisories].find(
    (each) => each.line === line && isProvable(each) && each.severity !== 'info',
  )
  if (!finding) throw new Error(`the engine finds nothing at line ${line} of ${name}`)
  return finding
}

test('without its packages every answer says so, and how to install them', async () => {
  const folder = findPackages()
  usePackages(null)
  const { file } = readFixture('reentrancy', 'vulnerable')
  const [evidence] = await prove([file], [{ path: file.path, finding: findingOf('reentrancy') }]).finally(() =>
    usePackages(folder),
  )
  expect(evidence).toMatchObject({
    status: 'not-attempted',
    summary: 'not attempted: the prover is not installed (npm run setup:prover installs it)',
  })
})

describe.skipIf(!isInstalled())('attacks', () => {
  for (const name of readdirSync(folder)) {
    test(
      `${name}: ${readFixture(name, 'vulnerable').status} where it works, with a test that holds there and fails on the fixed version`,
      async () => {
        const [vulnerable, fixed] = [readFixture(name, 'vulnerable'), readFixture(name, 'fixed')]
        const finding = findingOf(name)
        const at: FindingAt = { path: vulnerable.file.path, finding }
        const [evidence] = await prove([vulnerable.file], [at], { limits })
        expect(evidence?.status, evidence?.summary).toBe(vulnerable.status)
        expect(evidence?.control?.change).toBeTruthy()
        expect(evidence?.scene.length).toBeGreaterThan(0)
        expect(evidence?.steps.length).toBeGreaterThan(0)

        const written = evidence?.foundryTest?.text ?? ''
        const text = inlineTarget(written, [vulnerable.file])
        const packages = await loadPackages()
        expect(await runFoundryTest(text, packages)).toEqual({ holds: true })
        const onFixed = inlineTarget(written, [fixed.file])
        expect(onFixed).not.toBe(text)
        const run = await runFoundryTest(onFixed, packages)
        expect(run.holds).toBe(false)
        expect(run).not.toMatchObject({ reason: expect.stringMatching(/compile|setUp\(\)/) })

        const moved = { ...finding, line: fixed.line, endLine: fixed.line }
        const [again] = await prove([fixed.file], [{ path: fixed.file.path, finding: moved }], { limits })
        expect(again?.status, again?.summary).not.toMatch(/confirmed|executed/)
      },
      patience,
    )
  }

  test(
    'tokens are assets: what the attacker has of them, and others have less of, is counted, reported and asserted',
    async () => {
      const { file } = readFixture('replayed-token-claim', 'vulnerable')
      const at = { path: file.path, finding: findingOf('replayed-token-claim') }
      const [evidence] = await prove([file], [at], { limits })
      expect(evidence?.summary).toMatch(/the attacker has \d+ units of AssayToken more/)
      const change = (holder: string): bigint => {
        const row = evidence?.balances.find((each) => each.holder === holder && each.token === 'AssayToken')
        return BigInt(row?.after ?? 0) - BigInt(row?.before ?? 0)
      }
      expect(change('attacker')).toBeGreaterThan(0n)
      expect(change('Vouchers')).toBe(-change('attacker'))
      expect(evidence?.foundryTest?.text).toContain('require(lootIn(token) >= lootBefore + ')
    },
    patience,
  )

  test.each([
    ['^0.8.20', '@openzeppelin/contracts/security/ReentrancyGuard.sol', 'Ownable()', 'OpenZeppelin 4.9.6'],
    ['^0.8.20', '@openzeppelin/contracts/utils/ReentrancyGuard.sol', 'Ownable(msg.sender)', 'OpenZeppelin 5.4.0'],
    ['^0.6.0', '@openzeppelin/contracts/utils/ReentrancyGuard.sol', 'Ownable()', 'OpenZeppelin 3.4.2'],
  ])(
    'imports of a known library are completed by the release that fits: %s, %s',
    async (pragma, guard, base, libraries) => {
      const text = `pragma solidity ${pragma};
import "${guard}";
import "@openzeppelin/contracts/access/Ownable.sol";
contract Till is Ownable, ReentrancyGuard {
    constructor() public ${base} {}
    receive() external payable {}
    function close() external nonReentrant {
        selfdestruct(payable(msg.sender));
    }
}
`
      const file = { path: 'src/Till.sol', text }
      const finding = {
        swc: 'SWC-106',
        detector: 'x',
        contract: 'Till',
        function: 'close',
        line: 8,
        endLine: 8,
        trace: [],
      }
      const [evidence] = await prove([file], [{ path: file.path, finding }], { limits })
      expect(evidence).toMatchObject({ status: 'confirmed', libraries })
      const test = (await selfContainedTest(evidence as Evidence, [file])) ?? ''
      expect(test).not.toMatch(/^import /m)
      expect(await runFoundryTest(test, await loadPackages())).toEqual({ holds: true })
    },
    patience,
  )

  test(
    'the import that is missing is named, not the one that a known library has',
    async () => {
      const { file } = readFixture('reentrancy', 'vulnerable')
      const imports = 'import "@openzeppelin/contracts/access/Ownable.sol";\nimport "lib/base64/base64.sol";\n'
      const lost = { ...file, text: `${imports}${file.text}` }
      const [evidence] = await prove([lost], [{ path: file.path, finding: findingOf('reentrancy') }])
      expect(evidence?.summary).toBe(
        'not attempted: the files do not compile: an import is missing: lib/base64/base64.sol',
      )
    },
    patience,
  )

  test(
    'a missing import is named',
    async () => {
      const { file } = readFixture('reentrancy', 'vulnerable')
      const lost = { ...file, text: `import "@openzeppelin/contracts/../../../package.sol";\n${file.text}` }
      const [evidence] = await prove([lost], [{ path: file.path, finding: findingOf('reentrancy') }])
      expect(evidence?.summary).toMatch(/^not attempted: the files do not compile: .*package\.sol/)
    },
    patience,
  )

  test.each(['reentrancy', 'predicted-chance'])(
    'the same files and the same seed give the same evidence, byte for byte: %s',
    async (name) => {
      const { file } = readFixture(name, 'vulnerable')
      const at = { path: file.path, finding: findingOf(name) }
      for (const seed of [1, 7]) {
        const first = await prove([file], [at], { limits, seed })
        expect(first[0]).toMatchObject({ status: 'confirmed', seed })
        expect(JSON.stringify(await prove([file], [at], { limits, seed }))).toBe(JSON.stringify(first))
      }
    },
    patience,
  )

  test(
    'another seed is another chain: other blocks win, and the written test holds there too',
    async () => {
      const { file } = readFixture('predicted-chance', 'vulnerable')
      const at = { path: file.path, finding: findingOf('predicted-chance') }
      const texts: string[] = []
      for (const seed of [1, 7]) {
        const [evidence] = await prove([file], [at], { limits, seed })
        const text = inlineTarget(evidence?.foundryTest?.text ?? '', [file])
        expect(await runFoundryTest(text, await loadPackages())).toEqual({ holds: true })
        texts.push(text)
      }
      expect(texts[0]).not.toBe(texts[1])
    },
    patience,
  )

  test.each([
    ['', '', /^not attempted: Notes holds no ether, token or role that a call could take$/],
    ['address owner = msg.sender;', '', /^not reproduced/],
    ['', 'function fund() external payable {}', /^not reproduced/],
    ['', 'function tell(address to) external { (bool ok,) = to.call(""); require(ok); }', /^not reproduced/],
  ])(
    'nothing is attempted where nothing can be taken: %s%s',
    async (state, more, summary) => {
      const text = `pragma solidity ^0.8.20;
contract Notes {
    ${state}
    struct Note { uint256 amount; uint256 debt; }
    mapping(address => Note) public notes;
    function write(uint256 debt) external {
        Note memory note = notes[msg.sender];
        note.debt = debt;
    }
    ${more}
}
`
      const file = { path: 'Notes.sol', text }
      const place = { contract: 'Notes', function: 'write', line: 7, endLine: 7, trace: [] }
      const finding = { swc: null, detector: 'memory-not-storage', ...place }
      const [evidence] = await prove([file], [{ path: file.path, finding }], { limits })
      expect(evidence?.summary).toMatch(summary)
    },
    patience,
  )

  test.each([
    ['uint256 sum;', 'external view', /^not attempted: Sums has view functions only, which change nothing$/],
    ['uint256 sum; function add(uint256 value) external { sum += value; }', 'external view', /^not reproduced/],
    ['uint256 sum; fallback() external { sum++; }', 'external view', /^not reproduced/],
  ])(
    'nothing is attempted where calls only read, whatever the test library has: %s',
    async (state, kind, summary) => {
      const library = {
        path: 'lib/forge-std/Test.sol',
        text: `pragma solidity ^0.8.20;
interface Vm { function warp(uint256 time) external; }
contract Test {
    Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    bool public failed;
    function skip(uint256 time) public { vm.warp(block.timestamp + time); }
}
`,
      }
      const text = `pragma solidity ^0.8.20;
import "lib/forge-std/Test.sol";
contract Sums is Test {
    ${state}
    function priceOf(uint256 amount) ${kind} returns (uint256) {
        return amount * sum;
    }
}
`
      const file = { path: 'Sums.sol', text }
      const place = { contract: 'Sums', function: 'priceOf', line: 6, endLine: 6, trace: [] }
      const finding = { swc: null, detector: 'price-oracle-manipulation', ...place }
      const [evidence] = await prove([file, library], [{ path: file.path, finding }], { limits })
      expect(evidence?.summary).toMatch(summary)
    },
    patience,
  )

  test(
    'what does not compile was not attempted, with the first error of the compiler',
    async () => {
      const { file } = readFixture('reentrancy', 'vulnerable')
      const broken = { ...file, text: file.text.replace('amount > 0', 'amount > missing') }
      const [evidence] = await prove([broken], [{ path: file.path, finding: findingOf('reentrancy') }])
      expect(evidence?.status).toBe('not-attempted')
      expect(evidence?.summary).toMatch(/do not compile: DeclarationError: Undeclared identifier/)
    },
    patience,
  )
})
