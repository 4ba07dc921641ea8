/** A verified exploit needs harm at the flagged place; the reproductions here were once called confirmed without it. */
import { type Evidence, scan } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { isInstalled } from './packages.ts'
import { prove } from './prove.ts'

const patience = 240_000
const limits = { millisecondsPerFinding: patience, millisecondsPerScan: patience }
const path = 'contract.sol'

const proveLine = async (text: string, mark: string): Promise<Evidence | undefined> => {
  const line = text.split('\n').findIndex((each) => each.includes(mark)) + 1
  const { findings, advisories } = scan(text, { path })
  const finding = [...findings, ...advisories].find((each) => each.line === line && each.severity !== 'info')
  if (!finding) throw new Error(`the engine finds nothing at line ${line}`)
  const [evidence] = await prove([{ path, text }], [{ path, finding }], { limits })
  return evidence
}

const token = (check: string): string => `pragma solidity ^0.6.0;
contract Token {
    mapping(address => uint256) balances;
    uint256 public totalSupply;
    constructor(uint256 supply) public { balances[msg.sender] = totalSupply = supply; }
    function transfer(address to, uint256 value) public returns (bool) {
        require(${check}); // flagged
        balances[msg.sender] -= value;
        balances[to] += value;
        return true;
    }
    function balanceOf(address who) public view returns (uint256) { return balances[who]; }
}
`

/** As PuppyRaffle does: one line draws the winner, who is paid, another line draws something that pays nobody. */
const raffle = `pragma solidity ^0.8.20;
contract Raffle {
    uint256 public rarity;
    constructor() payable {}
    function play(uint256 guess) external payable {
        require(msg.value == 1 ether && guess < 3);
        uint256 winner = uint256(keccak256(abi.encodePacked(msg.sender, block.timestamp, block.prevrandao))) % 3; // winner
        rarity = uint256(keccak256(abi.encodePacked(msg.sender, block.prevrandao))) % 100; // rarity
        if (winner == guess) payable(msg.sender).transfer(2 ether);
    }
    receive() external payable {}
}
`

const payroll = `pragma solidity ^0.8.20;
contract Payroll {
    address payable public owner;
    uint256 public paid;
    constructor() payable { owner = payable(msg.sender); }
    function pay(uint256 amount) external {
        paid += amount;
        owner.call{value: amount}(""); // flagged
    }
    receive() external payable {}
}
`

describe.skipIf(!isInstalled())('words that are earned', () => {
  test(
    'an overflow is shown by what it pays, not by a transfer to oneself',
    async () => {
      const evidence = await proveLine(token('balances[msg.sender] - value >= 0'), '// flagged')
      expect(evidence?.status, evidence?.summary).toBe('confirmed')
      expect(evidence?.steps.at(-1)?.arguments[0]).not.toBe('attacker')
      const mine = evidence?.balances.find(({ holder, token: of }) => holder === 'attacker' && of === 'Token')
      expect(BigInt(mine?.after ?? 0)).toBeGreaterThan(BigInt(mine?.before ?? 0))
    },
    patience,
  )

  test(
    'of two draws in one function only the one that decides is exploited',
    async () => {
      const winner = await proveLine(raffle, '// winner')
      expect(winner?.status, winner?.summary).toBe('confirmed')
      expect(winner?.control?.change).toBe('the same calls with another block value at the flagged line')
      const rarity = await proveLine(raffle, '// rarity')
      expect(rarity?.status, rarity?.summary).toBe('executed')
    },
    patience,
  )

  test(
    'an owner who refuses on purpose is no victim',
    async () => {
      const evidence = await proveLine(payroll, '// flagged')
      expect(evidence?.status, evidence?.summary).toBe('executed')
    },
    patience,
  )

  test(
    'a finding without an attack says so',
    async () => {
      const finding = {
        detector: 'unused-variable',
        swc: 'SWC-131',
        contract: 'Payroll',
        function: null,
        line: 3,
        endLine: 3,
        trace: [],
      }
      const [evidence] = await prove([{ path, text: payroll }], [{ path, finding }], { limits })
      expect(evidence?.summary).toBe('not attempted: no attack is written for unused-variable')
    },
    patience,
  )
})
