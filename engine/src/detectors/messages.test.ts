/** What messages of detectors name, so that a reader sees why existing protection is not enough. */
import { expect, test } from 'vitest'
import { scanFiles } from '../index.ts'

const findingsOf = (text: string, wanted: string) =>
  scanFiles([{ path: 'A.sol', text }])
    .flatMap(({ findings, advisories }) => [...findings, ...advisories])
    .filter(({ detector }) => detector === wanted)

test('reentrancy despite a lock names the function that does not hold it', () => {
  const [finding] = findingsOf(
    `pragma solidity 0.8.28;
    contract Vault {
      mapping(address => uint256) private held;
      bool private busy;
      modifier once() { require(!busy, "busy"); busy = true; _; busy = false; }
      receive() external payable {}
      function take() external once {
        uint256 amount = held[msg.sender];
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok, "refused");
        held[msg.sender] = 0;
      }
      function pass(address to, uint256 amount) external {
        held[msg.sender] -= amount;
        held[to] += amount;
      }
    }`,
    'reentrancy',
  )
  expect(finding?.message).toContain('and `pass()` does not hold the lock')
  expect(finding?.trace.map(({ message }) => message)).toContain('`pass()` changes the same state without the lock.')
})

test('a modifier of a library is named without a negation', () => {
  const [finding] = findingsOf(
    `pragma solidity 0.8.28;
    import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
    contract Shelf is Pausable {
      mapping(uint256 => uint256) public sums;
      function one(uint256 id, uint256 n) external whenNotPaused { sums[id] = n; }
      function two(uint256 id, uint256 n) external whenNotPaused { sums[id] = n + 1; }
      function three(uint256 id, uint256 n) external whenNotPaused { sums[id] = n + 2; }
      function four(uint256 id, uint256 n) external { sums[id] = n + 3; }
    }`,
    'inconsistent-checks',
  )
  expect(finding?.message).toMatch(/^`four\(\)` does not check `whenNotPaused`, although/)
})

test('possible reentrancy names callee and stale value, at the call and not at a query in its argument', () => {
  const text = `pragma solidity 0.8.28;
    import "./IAmm.sol";
    interface IPool {
      function priceOf(uint256 id) external view returns (uint256);
      function redeem(address to, uint256 price) external;
    }
    contract Controller {
      function exit(IAmm amm, IPool pool, uint256 id) external {
        uint256 price = pool.priceOf(id);
        amm.transferFrom(address(this), msg.sender, amm.balanceOf(address(this)));
        pool.redeem(msg.sender, price);
      }
    }`
  const [finding] = findingsOf(text, 'possible-reentrancy')
  const line = text.split('\n')[finding!.line - 1]!
  expect(line.slice(finding!.column - 1)).toMatch(/^amm\.transferFrom/)
  expect(finding?.message).toContain('calls `amm.transferFrom()` and only then `pool.redeem()`')
  expect(finding?.message).toMatch(/ Needs review because .+\.$/)
})

test('a proxy collision names the implementation and variables that share a slot', () => {
  const [finding] = findingsOf(
    `pragma solidity 0.8.28;
    contract Logic {
      address public owner;
      function take() external { owner = msg.sender; }
    }
    contract Door {
      address public keeper;
      Logic private logic;
      constructor(Logic logic_) { logic = logic_; keeper = msg.sender; }
      fallback() external { (bool ok, ) = address(logic).delegatecall(msg.data); require(ok); }
    }`,
    'proxy-storage-collision',
  )
  expect(finding?.message).toContain(
    'by `delegatecall` to `Logic`: `Logic.owner` and `Door.keeper` share a storage slot',
  )
})

test('a callback that checks an argument alone says so', () => {
  const [finding] = findingsOf(
    `pragma solidity 0.8.28;
    interface IERC20 { function transfer(address to, uint256 amount) external returns (bool); }
    contract Borrower {
      IERC20 private immutable asset;
      address private immutable lender;
      constructor(IERC20 asset_, address lender_) { asset = asset_; lender = lender_; }
      function onFlashLoan(address initiator, address, uint256 amount, uint256, bytes calldata) external returns (bytes32) {
        require(initiator == address(this), "initiator");
        require(asset.transfer(lender, amount), "failed");
        return keccak256("ERC3156FlashBorrower.onFlashLoan");
      }
    }`,
    'unauthenticated-callback',
  )
  expect(finding?.message).toContain(
    'does not check that `msg.sender` is the lender (ERC-3156), only `initiator`, which the caller supplies',
  )
})

test('what is not a state variable is not called one', () => {
  const titles = (text: string, detector: string) =>
    findingsOf(`pragma solidity 0.8.28; contract A { ${text} }`, detector).map(({ title }) => title)
  const shadowing = 'function assert(bool ok) internal pure { if (!ok) revert(); }'
  expect(titles(shadowing, 'shadowed-state-variable')).toEqual(['Shadowed builtin'])
  const unused = 'function f(uint256 n) external pure returns (uint256) { return 1; }'
  expect(titles(unused, 'unused-variable')).toEqual(['Unused parameter'])
})

test.each([
  ['int256', 'wrap around to the opposite sign'],
  ['uint256', 'underflow to a huge number'],
])('a subtraction of %s says how it wraps around', (type, wraps) => {
  const [finding] = findingsOf(
    `pragma solidity 0.7.6;
    contract Scores {
      mapping(address => ${type}) public scores;
      function lower(address of, ${type} by) external { scores[of] = scores[of] - by; }
    }`,
    'integer-overflow',
  )
  expect(finding?.message).toContain(wraps)
  expect(finding?.trace[0]?.message).toContain(wraps)
})
