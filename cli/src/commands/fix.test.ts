import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixProgram, type ToCompile } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { scanFindings } from '../fix/scan-findings.ts'
import { assayIn, clean, makeFolder } from '../testing/captured-io.ts'

/** Fixes a file and gives what became of it. */
async function runFix(source: string, ...words: string[]) {
  const folder = makeFolder({ 'A.sol': source })
  const { code, err } = await assayIn(folder, ['fix', 'A.sol', '--write', ...words])
  return { code, err, text: readFileSync(join(folder, 'A.sol'), 'utf8') }
}

describe('what is fixed', () => {
  test.each([
    ['^0.8.20', '0.8.28', []],
    ['^0.8.20', '0.8.27', ['--solc', '0.8.27']],
    ['^0.8.20', '^0.8.20', ['--solc', '0.7.6']],
    ['>=0.7.0 <0.8.0', '0.7.6', []],
  ])('a pragma %s is pinned to %s with %j', async (written, pinned, words) => {
    const source = clean.replace('0.8.28', written)
    const { text, code } = await runFix(source, '--only', 'floating-pragma', ...words)
    expect([text, code]).toEqual([clean.replace('0.8.28', pinned), 0])
  })

  const paying = (statement: string, pragma = '0.8.28') => `pragma solidity ${pragma};
contract A {
    bool success;
    address payable owner = payable(address(1));
    function pay(bytes calldata data) external {
        ${statement}
    }
}
`
  const only = ['--only', 'unchecked-call-return-value']

  test('the result of a call to the sender is checked, by a name that is free', async () => {
    const { text } = await runFix(paying('msg.sender.call{value: 1}(data);'), ...only)
    expect(text).toContain(
      '        (bool ok, ) = msg.sender.call{value: 1}(data);\n        require(ok, "call failed");\n',
    )
  })

  test('that of a call to someone else with --unsafe alone', async () => {
    const source = paying('owner.call(data);')
    expect((await runFix(source, ...only)).text).toBe(source)
    expect((await runFix(source, ...only, '--unsafe')).text).toContain('(bool ok, ) = owner.call(data);')
  })

  test.each([
    ['owner.call{value: 1}(data);', '0.8.28'],
    ['owner.send(1);', '0.8.28'],
  ])('a payment to someone else is never made mandatory: %s', async (statement, pragma) => {
    const source = paying(statement, pragma)
    expect((await runFix(source, ...only, '--unsafe')).text).toBe(source)
  })

  test('tx.origin', async () => {
    const { text } = await runFix(
      `pragma solidity 0.8.28;
contract A {
    address owner = msg.sender;
    uint256 x;
    function set(uint256 y) external {
        require(tx.origin == owner);
        x = y;
    }
}
`,
      '--only',
      'tx-origin-authorization',
      '--unsafe',
    )
    expect(text).toContain('require(msg.sender == owner);')
  })

  test('a visibility is written as it takes effect', async () => {
    const { text } = await runFix(
      `pragma solidity 0.4.24;
contract A {
    uint256 total;
    function add(uint256 n) returns (uint256) { total = n; return total; }
}
`,
      '--only',
      'function-default-visibility,state-variable-default-visibility',
    )
    expect(text).toContain('uint256 internal total;')
    expect(text).toContain('function add(uint256 n) public returns (uint256)')
  })

  test('deprecated names', async () => {
    const { text } = await runFix(
      `pragma solidity 0.4.24;
contract A {
    function f(uint256 n) public view returns (bytes32) {
        if (n > 5) throw;
        return sha3(n);
    }
}
`,
      '--only',
      'deprecated-function',
    )
    expect(text).toContain('if (n > 5) revert();')
    expect(text).toContain('return keccak256(n);')
  })

  const bank = `pragma solidity 0.8.28;
contract Bank {
    mapping(address => uint256) public balances;
    function deposit() external payable { balances[msg.sender] += msg.value; }
    function withdraw() external {
        uint256 amount = balances[msg.sender];
        (bool sent, ) = msg.sender.call{value: amount}("");
        require(sent);
        balances[msg.sender] = 0;
    }
}
`
  test('state is written before the call when nothing of the call flows into it', async () => {
    const { text } = await runFix(bank, '--only', 'reentrancy')
    expect(text.indexOf('balances[msg.sender] = 0;')).toBeLessThan(text.indexOf('msg.sender.call'))
    expect(text.match(/balances\[msg\.sender\] = 0;/g)).toHaveLength(1)
    expect(text).toContain('        require(sent);\n    }')
  })

  test('what depends on the call stays where it is', async () => {
    const depending = bank.replace(
      'require(sent);\n        balances[msg.sender] = 0;',
      'balances[msg.sender] = sent ? 0 : amount;',
    )
    expect((await runFix(depending, '--only', 'reentrancy')).text).toBe(depending)
  })
})

test('without --write the difference is shown, nothing is written, and the exit code is 1', async () => {
  const source = clean.replace('0.8.28', '^0.8.20')
  const folder = makeFolder({ 'src/A.sol': source })
  const { code, out, err } = await assayIn(folder, ['fix', '--only', '103'])
  expect(code).toBe(1)
  expect(out).toContain(
    '--- a/src/A.sol\n+++ b/src/A.sol\n@@ -1,4 +1,4 @@\n-pragma solidity ^0.8.20;\n+pragma solidity 0.8.28;\n',
  )
  expect(err).toContain('src/A.sol:1: SWC-103: Pin the pragma to 0.8.28')
  expect(readFileSync(join(folder, 'src/A.sol'), 'utf8')).toBe(source)
})

test('a patch that would bring another finding is not kept', async () => {
  // Pinned to the lowest version that it admits, the file would be outdated: it stays, or goes to a newer one.
  const { text } = await runFix(clean.replace('0.8.28', '>=0.6.0'))
  expect(text).not.toContain('pragma solidity 0.6.0;')
})

describe('one compiler version for the whole project', () => {
  const importing = 'pragma solidity ^0.8.0;\nimport "./B.sol";\ncontract A is B {}\n'
  const imported = 'pragma solidity ^0.8.20;\ncontract B {}\n'
  const pinned = async (files: Record<string, string>) => {
    const folder = makeFolder(files)
    const { err } = await assayIn(folder, ['fix', '--write', '--only', 'floating-pragma'])
    const read = (path: string) => /pragma solidity (.*);/.exec(readFileSync(join(folder, path), 'utf8'))?.[1]
    return { err, versions: [read('src/A.sol'), read('src/B.sol')] }
  }

  test.each([
    ['that of foundry.toml', { 'foundry.toml': '[profile.default]\nsolc = "0.8.24"\n' }, '0.8.24'],
    [
      'that of Hardhat',
      { 'hardhat.config.js': 'module.exports = { solidity: { version: "0.8.21" }, paths: { sources: "src" } }' },
      '0.8.21',
    ],
    [
      'the newest of several of Hardhat that all admit',
      {
        'hardhat.config.js':
          'const a = { version: "0.8.9" }; const b = { version: "0.8.22" }; module.exports = { solidity: { compilers: [a, b] }, paths: { sources: "src" } }',
      },
      '0.8.22',
    ],
    [
      'that of Truffle',
      {
        'truffle-config.js':
          'module.exports = { contracts_directory: "src", compilers: { solc: { version: "0.8.21", settings: {} } } }',
      },
      '0.8.21',
    ],
    [
      'one that a test is pinned to',
      { 'foundry.toml': '', 'test/A.t.sol': 'pragma solidity 0.8.23;\ncontract T {}\n' },
      '0.8.23',
    ],
    ['one that all admit', { 'foundry.toml': '' }, '0.8.28'],
  ])('%s', async (_, files, version) => {
    const { versions } = await pinned({ ...files, 'src/A.sol': importing, 'src/B.sol': imported })
    expect(versions).toEqual([version, version])
  })

  test('none where there is none, and it says so', async () => {
    const files = { 'src/A.sol': importing, 'src/B.sol': imported }
    const apart = await pinned({
      ...files,
      'test/T.sol': 'pragma solidity 0.7.6;\ncontract T {}\n',
      'foundry.toml': '',
    })
    expect(apart.versions).toEqual(['^0.8.0', '^0.8.20'])
    expect(apart.err).toContain('no pragma is pinned: no version is admitted by all files')
    const settings = await pinned({ ...files, 'foundry.toml': '[profile.default]\nsolc = "0.8.19"\n' })
    expect(settings.err).toContain('no pragma is pinned: not all files admit 0.8.19')
    const range = await pinned({
      ...files,
      'truffle-config.js':
        'module.exports = { contracts_directory: "src", compilers: { solc: { version: "^0.8.20" } } }',
    })
    expect(range.err).toContain('no pragma is pinned: the settings do not name one compiler version in plain text')
    const overridden = await pinned({
      ...files,
      'hardhat.config.js':
        'module.exports = { solidity: { compilers: [{ version: "0.8.24" }], overrides: { "src/B.sol": { version: "0.8.20" } } }, paths: { sources: "src" } }',
    })
    expect(overridden.versions).toEqual(['^0.8.0', '^0.8.20'])
  })
})

describe('patches are tried together', () => {
  const program = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      path: `F${index}.sol`,
      text: `pragma solidity ^0.8.0;\ncontract C${index} {}\n`,
    }))
  /** Counts scans of the whole program. */
  const fixAll = async (count: number, isWrong: (files: readonly { path: string; text: string }[]) => string[]) => {
    const files = program(count)
    const whole = { reported: files.map(({ path }) => path), files, importTargets: {} }
    let scans = 0
    const fixed = await fixProgram(whole, {
      compilerVersion: '0.8.28',
      withUnsafe: false,
      isWanted: () => true,
      scan: async (now) => {
        scans++
        const found = await scanFindings(whole, now)
        // As if the patch had brought something.
        for (const path of isWrong(now)) {
          const [first] = (await scanFindings(whole, files)).get(path) ?? []
          found.set(path, [{ ...first, detector: 'new', fingerprint: 'new' } as never])
        }
        return found
      },
    })
    return { ...fixed, scans }
  }

  test('a hundred patches cost three scans', async () => {
    const { applied, scans } = await fixAll(100, () => [])
    expect(applied).toHaveLength(100)
    expect(scans).toBeLessThanOrEqual(3)
  })

  test('one that brings another finding is left out, and the others are not', async () => {
    const isWrong = (files: readonly { path: string; text: string }[]) =>
      files.flatMap(({ path, text }) => (path === 'F7.sol' && !text.includes('^') ? [path] : []))
    const { applied, refused, scans } = await fixAll(20, isWrong)
    expect(refused.map(({ path }) => path)).toEqual(['F7.sol'])
    expect(applied).toHaveLength(19)
    expect(scans).toBeLessThanOrEqual(6)
  })

  test('those whose finding stays are left out at once', async () => {
    // As if pinning did nothing in every third file.
    const isLost = (path: string) => Number(/\d+/.exec(path)?.[0]) % 3 === 0
    const files = program(30)
    const whole = { reported: files.map(({ path }) => path), files, importTargets: {} }
    const before = await scanFindings(whole, files)
    let scans = 0
    const { applied, refused } = await fixProgram(whole, {
      compilerVersion: '0.8.28',
      withUnsafe: false,
      isWanted: () => true,
      scan: async (now) => {
        scans++
        const found = await scanFindings(whole, now)
        for (const path of found.keys()) if (isLost(path)) found.set(path, before.get(path))
        return found
      },
    })
    expect([applied.length, refused.length, scans]).toEqual([20, 10, 3])
  })

  test('the pinned compiler may be an old one', async () => {
    const files = [{ path: 'A.sol', text: 'pragma solidity >=0.5.0;\ninterface A {}\n' }]
    const whole = { reported: ['A.sol'], files, importTargets: {} }
    const scan = (now: typeof files) => scanFindings(whole, now)
    const { texts } = await fixProgram(whole, {
      compilerVersion: '0.6.6',
      withUnsafe: false,
      isWanted: ({ detector }) => detector === 'floating-pragma',
      scan: (now) => scan([...now]),
    })
    expect(texts.get('A.sol')).toContain('pragma solidity 0.6.6;')
  })

  test('there is an end to trying', async () => {
    const { applied, untriedCount, scans } = await fixAll(40, (files) =>
      files.flatMap(({ path, text }) => (text.includes('^') ? [] : [path])),
    )
    expect(applied).toEqual([])
    expect(untriedCount).toBeGreaterThan(0)
    expect(scans).toBeLessThanOrEqual(16)
  })
})

describe('the result is compiled', () => {
  const files = [
    {
      path: 'A.sol',
      text: 'pragma solidity ^0.8.0;\ncontract A {\n  uint x;\n  function f() external {\n    msg.sender.call("");\n  }\n}\n',
    },
  ]
  const whole = { reported: ['A.sol'], files, importTargets: {} }
  const fixWith = async (detector: string, compile: (text: string) => string | undefined) => {
    const compiled: ToCompile[] = []
    const fixed = await fixProgram(whole, {
      compilerVersion: '0.8.28',
      withUnsafe: false,
      isWanted: (finding) => finding.detector === detector,
      scan: (now) => scanFindings(whole, now),
      compile: async ([file], check) => {
        compiled.push(check)
        return compile(file?.text ?? '')
      },
    })
    return { ...fixed, compiled }
  }
  const visibility = 'state-variable-default-visibility'

  test('not for pragmas alone: all files admit the version', async () => {
    const { applied, compilation, compiled } = await fixWith('floating-pragma', () => 'an error')
    expect([applied.length, compilation, compiled]).toEqual([1, 'unneeded', []])
  })

  test('without code for what only writes down what the language takes it for', async () => {
    const { applied, compilation, compiled } = await fixWith(visibility, () => undefined)
    expect([applied.length, compilation, compiled]).toEqual([1, 'compiled', [{ changed: ['A.sol'], codeFor: [] }]])
  })

  test('with code for another statement, which may not fit the stack', async () => {
    const { compilation, compiled } = await fixWith('unchecked-call-return-value', () => undefined)
    expect([compilation, compiled]).toEqual(['compiled', [{ changed: ['A.sol'], codeFor: ['A.sol'] }]])
  })

  test('a patch is refused when only the patched text does not compile', async () => {
    const { applied, refused } = await fixWith(visibility, (text) =>
      text.includes('internal') ? 'an error' : undefined,
    )
    expect([applied.length, refused.length]).toEqual([0, 1])
  })

  test('what did not compile before says nothing about the patch', async () => {
    const { applied, compilation } = await fixWith(visibility, () => 'an import is missing')
    expect([applied.length, compilation]).toEqual([1, 'failed-before'])
  })
})

test('a clean project: nothing, and 0', async () => {
  const { code, err } = await assayIn(makeFolder({ 'A.sol': clean }), ['fix'])
  expect([code, err]).toEqual([0, 'assay: 0 patches\n'])
})
