import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assayIn, clean, makeFolder } from '../testing/captured-io.ts'

/** Mends a file and gives what became of it. */
async function mend(source: string, ...words: string[]) {
  const folder = makeFolder({ 'A.sol': source })
  const { code, err } = await assayIn(folder, ['fix', 'A.sol', '--write', ...words])
  return { code, err, text: readFileSync(join(folder, 'A.sol'), 'utf8') }
}

describe('what is mended', () => {
  test.each([
    ['^0.8.20', '0.8.20', []],
    ['^0.8.20', '0.8.27', ['--solc', '0.8.27']],
    ['^0.8.20', '0.8.20', ['--solc', '0.7.6']],
  ])('a pragma %s is pinned to %s with %j', async (written, pinned, words) => {
    const source = clean.replace('0.8.28', written)
    const { text, code } = await mend(source, '--only', 'floating-pragma', ...words)
    expect([text, code]).toEqual([clean.replace('0.8.28', pinned), 0])
  })

  test('the result of a low-level call is asked for, by a name that is free', async () => {
    const { text } = await mend(
      `pragma solidity 0.8.28;
contract A {
    bool success;
    address payable owner = payable(msg.sender);
    function pay(bytes calldata data) external {
        require(msg.sender == owner);
        owner.call{value: 1}(data);
    }
}
`,
      '--only',
      'unchecked-call-return-value',
    )
    expect(text).toContain('        (bool ok, ) = owner.call{value: 1}(data);\n        require(ok, "call failed");\n')
  })

  test('send before 0.5', async () => {
    const { text } = await mend(
      `pragma solidity 0.4.24;
contract A {
    function pay(address to) public { to.send(1); }
}
`,
      '--only',
      'unchecked-call-return-value',
    )
    expect(text).toContain('{ require(to.send(1), "send failed"); }')
  })

  test('tx.origin', async () => {
    const { text } = await mend(
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
    )
    expect(text).toContain('require(msg.sender == owner);')
  })

  test('a visibility is written as it takes effect', async () => {
    const { text } = await mend(
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
    const { text } = await mend(
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
    const { text } = await mend(bank, '--only', 'reentrancy')
    expect(text.indexOf('balances[msg.sender] = 0;')).toBeLessThan(text.indexOf('msg.sender.call'))
    expect(text.match(/balances\[msg\.sender\] = 0;/g)).toHaveLength(1)
    expect(text).toContain('        require(sent);\n    }')
  })

  test('what depends on the call stays where it is', async () => {
    const depending = bank.replace(
      'require(sent);\n        balances[msg.sender] = 0;',
      'balances[msg.sender] = sent ? 0 : amount;',
    )
    expect((await mend(depending, '--only', 'reentrancy')).text).toBe(depending)
  })
})

test('without --write the difference is shown, nothing is written, and the exit code is 1', async () => {
  const source = clean.replace('0.8.28', '^0.8.20')
  const folder = makeFolder({ 'src/A.sol': source })
  const { code, out, err } = await assayIn(folder, ['fix', '--only', '103'])
  expect(code).toBe(1)
  expect(out).toContain(
    '--- a/src/A.sol\n+++ b/src/A.sol\n@@ -1,4 +1,4 @@\n-pragma solidity ^0.8.20;\n+pragma solidity 0.8.20;\n',
  )
  expect(err).toContain('src/A.sol:1: SWC-103: Pin the pragma to 0.8.20')
  expect(readFileSync(join(folder, 'src/A.sol'), 'utf8')).toBe(source)
})

test('a patch that would bring another finding is not kept', async () => {
  // Pinned to the lowest version that it admits, the file would be outdated: it stays, or goes to a newer one.
  const { text } = await mend(clean.replace('0.8.28', '>=0.6.0'))
  expect(text).not.toContain('pragma solidity 0.6.0;')
})

test('a clean project: nothing, and 0', async () => {
  const { code, err } = await assayIn(makeFolder({ 'A.sol': clean }), ['fix'])
  expect([code, err]).toEqual([0, 'assay: 0 patches\n'])
})
