import type { Finding } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { blankPragmas } from './compile/compiler-line.ts'
import { Machine } from './evm/machine.ts'
import { isInstalled, loadPackages } from './packages.ts'
import { type ProvableFinding, prove } from './prove.ts'

const patience = 240_000
const limits = { callsPerFinding: 20, millisecondsPerFinding: patience, millisecondsPerScan: patience }

const flagged = (text: string, swc: Finding['swc']): ProvableFinding => {
  const line = text.split('\n').findIndex((each) => each.includes('// flagged')) + 1
  const name = /function (\w+)/.exec(text.split('\n').slice(0, line).reverse().join('\n'))?.[1] ?? null
  return { swc, detector: 'x', contract: 'C', function: name, line, endLine: line, trace: [] }
}

const attack = async (text: string, swc: Finding['swc'], callsPerFinding = limits.callsPerFinding) => {
  const [evidence] = await prove([{ path: 'c.sol', text }], [{ path: 'c.sol', finding: flagged(text, swc) }], {
    limits: { ...limits, callsPerFinding },
  })
  return evidence
}

/** Enough to see that calls are counted, where each of them takes all the gas or all the instructions that it may. */
const fewCalls = 2

/** Every run here must end by itself: by gas, by instructions, by calls. */
describe.skipIf(!isInstalled())('hostile contracts end within the bounds', () => {
  test(
    'a loop without end',
    async () => {
      const evidence = await attack(
        `pragma solidity 0.8.30;
contract C {
  function f(uint256 n) external {
    while (true) n++;
    payable(msg.sender).transfer(n); // flagged
  }
}`,
        'SWC-105',
        fewCalls,
      )
      expect(evidence).toMatchObject({ status: 'not-reproduced', callsTried: fewCalls })
    },
    patience,
  )

  test(
    'memory that grows with the argument',
    async () => {
      const evidence = await attack(
        `pragma solidity 0.8.30;
contract C {
  bytes32 public last;
  function f(uint256 n) external {
    bytes memory big = new bytes(n);
    last = keccak256(big);
    payable(msg.sender).transfer(address(this).balance + big.length); // flagged
  }
}`,
        'SWC-105',
      )
      expect(['not-reproduced', 'confirmed']).toContain(evidence?.status)
    },
    patience,
  )

  test(
    'a constructor without end is not attempted',
    async () => {
      const evidence = await attack(
        `pragma solidity 0.8.30;
contract C {
  uint256 x;
  constructor() { while (true) x++; }
  function f() external {
    payable(msg.sender).transfer(1); // flagged
  }
}`,
        'SWC-105',
      )
      expect(evidence?.status).toBe('not-attempted')
      expect(evidence?.summary).toMatch(/could not be deployed/)
    },
    patience,
  )

  test.each([
    // PUSH4 rounds, stored where the input begins, and a final flag at its end; then the call.
    ['a BLAKE2 of forty million rounds', '6302625a0060e01b60005260016100d4536000600060d5600060095afa'],
    ['a hash over and over', '5b620f42406000205060005600'],
  ])(
    '%s costs what it takes, not what gas says',
    async (_, code) => {
      const machine = await Machine.create((await loadPackages()).evm)
      const from = `0x${'aa'.repeat(20)}`
      const outcome = await machine.run({ from, data: `0x${code}`, gas: 60_000_000n })
      expect([outcome.ok, outcome.error]).toEqual([false, 'too many instructions'])
    },
    patience,
  )

  test(
    'a signature is still cheap enough to be checked',
    async () => {
      const machine = await Machine.create((await loadPackages()).evm)
      const outcome = await machine.run({
        from: `0x${'aa'.repeat(20)}`,
        data: '0x600060006080600060015afa',
        gas: 60_000_000n,
      })
      expect(outcome.ok).toBe(true)
    },
    patience,
  )

  test('nothing is compiled once the time of a scan is used up', async () => {
    const text = 'pragma solidity 0.8.30;\ncontract C { this does not compile }'
    const finding = flagged(text, 'SWC-105')
    const [evidence] = await prove([{ path: 'c.sol', text }], [{ path: 'c.sol', finding }], {
      limits: { millisecondsPerScan: -1 },
    })
    expect(evidence?.summary).toBe('not attempted: the time or the calls of this scan were used up')
  })

  test('the compiler is not asked to prove things itself', () => {
    const text =
      'pragma solidity ^0.7.0;\npragma experimental SMTChecker;\npragma experimental "ABIEncoderV2";\ncontract C {}'
    const blank = blankPragmas(text)
    expect(blank).not.toContain('SMTChecker')
    expect(blank).toContain('ABIEncoderV2')
    expect(blank.length).toBe(text.length)
  })

  test(
    'the clock is looked at within a call, and while the scene is set',
    async () => {
      const text = `pragma solidity 0.8.30;
contract C {
  uint256 x;
  constructor() { for (uint256 i; i < 3000; i++) x += i; }
  function f(uint256 n) external {
    while (true) n++;
    payable(msg.sender).transfer(n); // flagged
  }
}`
      const finding = { path: 'c.sol', finding: flagged(text, 'SWC-105') }
      const proveWithin = async (bounds: object) =>
        (await prove([{ path: 'c.sol', text }], [finding], { limits: { ...limits, ...bounds } }))[0]
      expect((await proveWithin({ millisecondsPerFinding: 1 }))?.summary).toMatch(/^ran out of time after \d calls/)
      // Compiled before, and remembered: what is left of the millisecond goes to the scene.
      expect((await proveWithin({ millisecondsPerScan: 1 }))?.summary).toBe(
        'not attempted: the time or the calls of this scan were used up',
      )
    },
    patience,
  )

  test(
    'hundreds of functions',
    async () => {
      const many = Array.from({ length: 400 }, (_, i) => `function g${i}(uint256 n) external { s[n] = ${i}; }`).join(
        '\n',
      )
      const evidence = await attack(
        `pragma solidity 0.8.30;
contract C {
  mapping(uint256 => uint256) s;
  ${many}
  function f(uint256 n) external {
    require(s[n] == 12345678901234567890);
    payable(msg.sender).transfer(1 ether); // flagged
  }
}`,
        'SWC-105',
      )
      expect(evidence?.status).toBe('not-reproduced')
      expect(evidence?.callsTried).toBeLessThanOrEqual(limits.callsPerFinding)
    },
    patience,
  )

  test(
    'a contract that calls itself to the limit of depth',
    async () => {
      const evidence = await attack(
        `pragma solidity 0.8.30;
contract C {
  function f() external {
    C(address(this)).f();
    payable(msg.sender).transfer(1); // flagged
  }
}`,
        'SWC-105',
        fewCalls,
      )
      expect(evidence?.status).toBe('not-reproduced')
      expect(evidence?.callsTried).toBeLessThanOrEqual(fewCalls)
    },
    patience,
  )

  test(
    'contracts that are created without end',
    async () => {
      const evidence = await attack(
        `pragma solidity 0.8.30;
contract Child { constructor(uint256 n) { if (n > 0) new Child2(n - 1); } }
contract Child2 { bytes32[64] filled; constructor(uint256 n) { for (uint256 i; i < 64; i++) filled[i] = keccak256(abi.encode(n, i)); } }
contract C {
  receive() external payable {}
  function f(uint256 n) external {
    for (uint256 i; i < n; i++) new Child(n);
    payable(msg.sender).transfer(1 ether); // flagged
  }
}`,
        'SWC-105',
      )
      expect(evidence?.status).toBe('confirmed')
      expect(evidence?.callsTried).toBeLessThanOrEqual(limits.callsPerFinding)
    },
    patience,
  )

  test.each([
    ['bytecode larger than a chain takes', `string public text = "${'x'.repeat(80_000)}";`],
    ['thousands of functions', Array.from({ length: 2000 }, (_, i) => `function g${i}() external {}`).join('\n')],
  ])(
    '%s is not attempted, as no chain would deploy it',
    async (_, body) => {
      const evidence = await attack(
        `pragma solidity 0.8.30;
contract C {
  mapping(uint256 => uint256) s;
  ${body}
  function f() external {
    payable(msg.sender).transfer(1); // flagged
  }
}`,
        'SWC-105',
      )
      expect(evidence?.status).toBe('not-attempted')
      expect(evidence?.summary).toMatch(/could not be deployed/)
    },
    patience,
  )

  test(
    'a list that cannot be filled within the calls ends with them',
    async () => {
      const text = `pragma solidity 0.8.30;
contract C {
  uint256[] list;
  uint256 sum;
  function add(uint256 n) external { list.push(n); }
  function f() external {
    for (uint256 i; i < list.length; i++) sum += list[i]; // flagged
  }
}`
      const [evidence] = await prove(
        [{ path: 'c.sol', text }],
        [{ path: 'c.sol', finding: flagged(text, 'SWC-128') }],
        {
          limits: { ...limits, callsPerFinding: 8 },
        },
      )
      expect(evidence).toMatchObject({ status: 'not-reproduced', callsTried: 8 })
    },
    patience,
  )

  test(
    'the calls of a scan are shared by its findings, and those that are left over were not attempted',
    async () => {
      const text = `pragma solidity 0.8.30;
contract C {
  mapping(uint256 => uint256) s;
  function g(uint256 n) external { s[n] = n; }
  function f(uint256 n) external {
    require(s[n] == 12345678901234567890);
    payable(msg.sender).transfer(1); // flagged
  }
}`
      const finding = { path: 'c.sol', finding: flagged(text, 'SWC-105') }
      const evidence = await prove([{ path: 'c.sol', text }], [finding, finding, finding], {
        limits: { ...limits, callsPerFinding: 20, callsPerScan: 30 },
      })
      expect(evidence.map(({ status, callsTried }) => [status, callsTried])).toEqual([
        ['not-reproduced', 20],
        ['not-reproduced', 10],
        ['not-attempted', 0],
      ])
      expect(evidence[2]?.summary).toBe('not attempted: the time or the calls of this scan were used up')
    },
    patience,
  )

  test(
    'a finding whose time is used up says so, and after how many calls',
    async () => {
      const text = `pragma solidity 0.8.30;
contract C {
  function f() external {
    payable(msg.sender).transfer(1); // flagged
  }
}`
      const [evidence] = await prove(
        [{ path: 'c.sol', text }],
        [{ path: 'c.sol', finding: flagged(text, 'SWC-105') }],
        {
          limits: { millisecondsPerFinding: -1 },
        },
      )
      expect(evidence?.summary).toMatch(/^ran out of time after 0 calls \(.+\)$/)
    },
    patience,
  )

  test(
    'a scan whose time is used up leaves the rest not attempted',
    async () => {
      const text = `pragma solidity 0.8.30;
contract C {
  function f() external {
    payable(msg.sender).transfer(1); // flagged
  }
}`
      const finding = { path: 'c.sol', finding: flagged(text, 'SWC-105') }
      const evidence = await prove([{ path: 'c.sol', text }], [finding, finding], {
        limits: { millisecondsPerScan: -1 },
      })
      expect(evidence.map(({ status }) => status)).toEqual(['not-attempted', 'not-attempted'])
    },
    patience,
  )
})
