import { setUpHints } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { hunt } from '../hunt/hunt.ts'
import { isInstalled } from '../packages.ts'

const path = 'src/A.sol'
/** Neither a number that is tried without being told nor a comparison leads to the key, which is hashed. */
const text = `pragma solidity ^0.8.20;
contract Meter {
  bytes32 private constant KEY = keccak256(abi.encode(uint256(73_911)));
  bool public ready;
  address private immutable owner = msg.sender;
  constructor(uint256 key) { require(keccak256(abi.encode(key)) == KEY, "key"); }
  function start(uint256 key) external { require(msg.sender == owner && keccak256(abi.encode(key)) == KEY); ready = true; }
  function take() external { require(ready); payable(msg.sender).transfer(address(this).balance); }
  receive() external payable {}
}`
const project = `contract MeterTest { Meter meter; function setUp() public { meter = new Meter(73_911); meter.start(73_911); } }`

describe.skipIf(!isInstalled())("the project's own set-up", () => {
  test('a contract that no guess deploys is deployed and set up as the project does it', async () => {
    const unit = { path, files: [{ path, text }], remappings: [] }
    const options = { milliseconds: 120_000, calls: 100 }
    const without = await hunt([unit], options)
    expect([without.reports, without.searched]).toEqual([[], []])
    const hints = setUpHints([{ path: 'test/A.t.sol', text: project }])
    const { reports } = await hunt([unit], { ...options, hints })
    expect(reports.map(({ oracle, function: fn }) => `${oracle} ${fn}`)).toContain('attacker-gains take')
    expect(reports[0]?.evidence.scene.map(({ call }) => call)).toContain('Meter.start(uint256)')
  }, 300_000)
})
