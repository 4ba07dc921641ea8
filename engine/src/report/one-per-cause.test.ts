import { expect, test } from 'vitest'
import { scan, scanFiles } from '../index.ts'
import { toMarkdown } from './markdown.ts'
import { toProjectResult } from './project-result.ts'
import { toScanResult } from './scan-result.ts'

const names = { scanId: 'scan', file: 'uploads/scan.sol' }

const till = (comment = ''): string => `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
contract Till {
    mapping(address => uint256) public owed;
    function add() external payable { owed[msg.sender] += msg.value; }
    function pay(uint256 amount) private {
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
    }
    function takeAll() external {
        pay(owed[msg.sender]);
        owed[msg.sender] = 0;
    }
    function takeHalf() external {
        ${comment}
        pay(owed[msg.sender] / 2);
        owed[msg.sender] -= owed[msg.sender] / 2;
    }
    function takeSome(uint256 some) external {
        require(some <= owed[msg.sender]);
        pay(some);
        owed[msg.sender] -= some;
    }
}`

const lines = (places: readonly { line: number }[] | undefined): number[] => (places ?? []).map(({ line }) => line)

test('one external call that several functions make is one finding with its places', () => {
  const result = toScanResult(scan(till()), names)
  expect(result.dataVulnerabilities).toHaveLength(1)
  const [finding] = result.dataVulnerabilities
  expect(finding).toMatchObject({ vulnerabilityId: 'SWC-107', line: 11 })
  expect(lines(finding!.places)).toEqual([16, 21])
  expect(finding!.places![0]).not.toHaveProperty('file')
  expect(result.securityScore).toMatchObject({ score: 80, summary: { total: 1, critical: 1 } })
  expect(toMarkdown([result])).toContain('Also at line 16, line 21.')
})

test('a comment sets its own place aside and not the cause', () => {
  const { findings, suppressed } = scan(till('// assay-ignore-next-line SWC-107: looked at'))
  expect(findings.map((finding) => [finding.line, ...lines(finding.places)])).toEqual([[11, 21]])
  expect(lines(suppressed)).toEqual([16])
})

test('in a project its places name their file', () => {
  const { dataVulnerabilities } = toProjectResult(scanFiles([{ path: 'src/Till.sol', text: till() }]), names)
  expect(dataVulnerabilities.map(({ places }) => places?.map(({ file, line }) => [file, line]))).toEqual([
    [
      ['src/Till.sol', 16],
      ['src/Till.sol', 21],
    ],
  ])
})

test('several calls before the same late write are one cause; the same late order in another function is another', () => {
  const text = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
interface Token { function transferFrom(address from, address to, uint256 amount) external returns (bool); }
contract Swaps {
    struct Offer { address maker; Token token; Token wanted; uint256 amount; }
    mapping(uint256 => Offer) public offers;
    function offer(uint256 id, Token token, Token wanted, uint256 amount) external {
        require(offers[id].maker == address(0));
        offers[id] = Offer(msg.sender, token, wanted, amount);
    }
    function take(uint256 id) external {
        Offer memory o = offers[id];
        require(o.maker != address(0));
        require(o.token.transferFrom(o.maker, msg.sender, o.amount));
        require(o.wanted.transferFrom(msg.sender, o.maker, o.amount));
        delete offers[id];
    }
    function give(uint256 id) external {
        Offer memory o = offers[id];
        require(o.maker != address(0));
        require(o.token.transferFrom(o.maker, msg.sender, o.amount));
        delete offers[id];
    }
}`
  const found = scan(text).findings.filter(({ swc }) => swc === 'SWC-107')
  expect(found.map((finding) => [finding.line, ...lines(finding.places)])).toEqual([[14, 15], [21]])
})

test('what is joined has one cause in common: a call that two late writes share does not join their other calls', () => {
  const text = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
interface Hook { function onTake(uint256 amount) external; }
library Pay {
    function send(address to, uint256 amount) internal { (bool ok, ) = to.call{value: amount}(""); require(ok); }
}
contract Bank {
    mapping(address => uint256) public cash;
    mapping(address => uint256) public gold;
    function put() external payable { cash[msg.sender] += msg.value; gold[msg.sender] += msg.value; }
    function takeCash() external {
        uint256 amount = cash[msg.sender];
        Hook(msg.sender).onTake(amount);
        Pay.send(msg.sender, amount);
        cash[msg.sender] = 0;
    }
    function takeGold() external {
        uint256 amount = gold[msg.sender];
        Pay.send(msg.sender, amount);
        (bool ok, ) = msg.sender.call{value: amount}(""); require(ok);
        gold[msg.sender] = 0;
    }
}`
  const found = scan(text).findings.filter(({ swc }) => swc === 'SWC-107')
  expect(found.map((finding) => [finding.line, ...lines(finding.places)])).toEqual([
    [13, 14],
    [19, 20],
  ])
})

test('games that draw with the same helper are two causes', () => {
  const text = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
library Rest { function mod(uint256 a, uint256 b) internal pure returns (uint256) { require(b > 0); return a % b; } }
contract Coin {
    using Rest for uint256;
    constructor() payable {}
    function play() external payable {
        if (uint256(blockhash(block.number - 1)).mod(2) == 0) { (bool ok, ) = msg.sender.call{value: 1 ether}(""); require(ok); }
    }
}
contract Cards {
    using Rest for uint256;
    mapping(uint256 => uint256) public power;
    function mint(uint256 id) external { power[id] = uint256(keccak256(abi.encode(block.coinbase, id))).mod(100); }
}`
  const found = scan(text).findings.filter(({ swc }) => swc === 'SWC-120')
  expect(found.map((finding) => [finding.line, ...lines(finding.places)])).toEqual([[8], [14]])
})

test('two calls are two causes', () => {
  const text = till().replace('pay(some);', '(bool ok, ) = msg.sender.call{value: some}(""); require(ok);')
  expect(scan(text).findings.map((finding) => [finding.line, ...lines(finding.places)])).toEqual([[11, 16], [21]])
})

test('a payment that is made in one of two ways is one cause; one to someone else, or a second one, is another', () => {
  const settle = (rest: string): string => `// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
contract Claims {
    uint256 public settled;
    function settle(address payable to, address payable other, bool won) external payable {
        settled++;
        if (won) {
            to.send(msg.value / 2);
        } else {
            ${rest}
        }
    }
}`
  const found = (text: string): number[][] =>
    scan(text)
      .findings.filter(({ swc }) => swc === 'SWC-104')
      .map((finding) => [finding.line, ...lines(finding.places)])
  expect(found(settle('to.send(msg.value / 4);'))).toEqual([[8, 10]])
  expect(found(settle('other.send(msg.value / 4);'))).toEqual([[8], [10]])
  expect(found(settle('} { to.send(msg.value / 4);'))).toEqual([[8], [10]])
})

test('places on the line of the finding are not reported once more', () => {
  const { findings } = scan(`// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
contract Sale {
    uint256 public constant begin = 1_800_000_000;
    uint256 public constant end = 1_800_086_400;
    mapping(address => uint256) public bought;
    function buy() external payable {
        require(block.timestamp > begin && block.timestamp < end);
        bought[msg.sender] += msg.value;
    }
    function refund() external {
        uint256 amount = bought[msg.sender];
        bought[msg.sender] = 0;
        payable(msg.sender).transfer(amount);
    }
}`)
  const times = findings.filter(({ swc }) => swc === 'SWC-116')
  expect(times.map(({ line, places }) => [line, places])).toEqual([[8, undefined]])
})

test('sums that wrap around for want of a limit where a number is taken in are one finding; what the caller brings is another', () => {
  const text = `pragma solidity 0.7.6;
contract Rounds {
    mapping(uint256 => uint256) private time;
    mapping(uint256 => uint256) private ends;
    function open(uint256 id, uint256 length) external { time[id] = length; }
    function start(uint256 id) external { ends[id] = block.timestamp + time[id]; }
    function double(uint256 id) external { ends[id] = 2 * time[id]; }
    function extend(uint256 id, uint256 by) external { ends[id] = by + time[id]; }
}`
  const { findings, advisories } = scan(text)
  const wraps = [...findings, ...advisories].filter(({ detector }) => detector === 'integer-overflow')
  // Nothing is paid by the first two: they are left to review.
  expect(wraps.map((finding) => [finding.line, ...lines(finding.places)])).toEqual([[8], [6, 7]])
})

test('one missing check of the caller is one finding, however many settings the function changes', () => {
  const { advisories } = scan(`// SPDX-License-Identifier: MIT
pragma solidity 0.8.28;
contract Pool {
    address public owner = msg.sender;
    uint256 public fee;
    uint256 public limit;
    function setFee(uint256 next) external { require(msg.sender == owner); fee = next; }
    function setLimit(uint256 next) external { require(msg.sender == owner); limit = next; }
    function setAll(uint256 nextFee, uint256 nextLimit) external {
        fee = nextFee;
        limit = nextLimit;
    }
}`)
  const found = advisories.filter(({ severity }) => severity !== 'info' && severity !== 'low')
  expect(found.map((finding) => [finding.function, finding.line, ...lines(finding.places)])).toEqual([
    ['setAll', 10, 11],
  ])
})
