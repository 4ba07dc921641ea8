import { expect, test } from 'vitest'
import { buildModel } from '../../engine/src/model/index.ts'
import { applyEdits, type Operator } from './fault.ts'
import { findFaults } from './find-faults.ts'

/** What each fault of an operator removes from a source, or puts in its place. */
const faultsOf = (operator: Operator, text: string) =>
  findFaults(buildModel([{ path: 'a.sol', text }]), () => true)
    .filter((fault) => fault.operator === operator)
    .map((fault) => ({ in: fault.function, removed: fault.removed, result: applyEdits(text, fault.edits) }))

const vault = (members: string): string => `
interface IToken {
  function transfer(address to, uint256 amount) external returns (bool);
  function transferFrom(address from, address to, uint256 amount) external returns (bool);
}
contract Vault {
  address owner;
  IToken token;
  uint256 total;
  uint256 index;
  uint256 lastTime;
  bool entered;
  bool ready;
  mapping(address => uint256) shares;
  mapping(address => uint256) nonces;
  mapping(bytes32 => bool) paid;
  mapping(address => bool) keepers;
  modifier onlyOwner() { require(msg.sender == owner); _; }
  modifier onlyKeeper() { _checkKeeper(msg.sender); _; }
  modifier whenReady() { require(ready); _; }
  modifier lock() { require(!entered); entered = true; _; entered = false; }
  function _checkKeeper(address who) internal view { if (!keepers[who]) revert(); }
  ${members}
}`

test('removes a modifier that tests the sender, also through a helper, and no other modifier', () => {
  const source = vault(`
    function a() external onlyOwner { index = 1; }
    function b() external whenReady onlyKeeper { index = 2; }
    function c() external whenReady lock { index = 3; }`)
  expect(faultsOf('access modifier removed', source).map(({ removed }) => removed)).toEqual(['onlyOwner', 'onlyKeeper'])
})

test('removes a check of the sender, and leaves a check of its balance', () => {
  const source = vault(`
    function a() external { require(msg.sender == owner, "no"); index = 1; }
    function b() external { if (!keepers[msg.sender]) revert(); index = 2; }
    function c() external { _checkKeeper(msg.sender); index = 3; }
    function d(uint256 n) external { require(shares[msg.sender] >= n); shares[msg.sender] -= n; }
    function e(address to) external { require(to != msg.sender); index = 4; }`)
  expect(faultsOf('sender check removed', source).map((fault) => fault.in)).toEqual(['a', 'b', 'c'])
})

test('removes a lock where control leaves the contract', () => {
  const source = vault(`
    function pay(address to) external lock { total -= 1; token.transfer(to, 1); }
    function note() external lock { total -= 1; }`)
  expect(faultsOf('lock removed', source).map((fault) => fault.in)).toEqual(['pay'])
})

test('moves a write behind the call that follows it', () => {
  const source = vault(`
    function pay(IToken any, uint256 n) external { shares[msg.sender] -= n; any.transfer(msg.sender, n); }
    function send(uint256 n) external { shares[msg.sender] -= n; msg.sender.call{value: n}(""); }
    function locked(IToken any, uint256 n) external lock { shares[msg.sender] -= n; any.transfer(msg.sender, n); }`)
  const faults = faultsOf('write moved behind call', source)
  expect(faults.map((fault) => fault.in)).toEqual(['pay', 'send'])
  expect(faults[0]?.result).toContain('any.transfer(msg.sender, n); shares[msg.sender] -= n;')
})

test('moves no write behind a call to a token that the protocol names', () => {
  const source = vault(`
    function pay(uint256 n) external { shares[msg.sender] -= n; token.transfer(msg.sender, n); }`)
  expect(faultsOf('write moved behind call', source)).toEqual([])
})

test('removes a debit and a total in each of its spellings, and swaps its sign', () => {
  const source = vault(`
    function sub(uint256 a, uint256 b) internal pure returns (uint256) { return a - b; }
    function a(uint256 n) external { shares[msg.sender] -= n; total = total - n; }
    function b(uint256 n) external { shares[msg.sender] = sub(shares[msg.sender], n); }
    function c(uint256 n) external { shares[msg.sender] += n; }`)
  expect(faultsOf('debit removed', source).map((fault) => fault.in)).toEqual(['a', 'b'])
  expect(faultsOf('total not updated', source).map(({ removed }) => removed)).toEqual(['total = total - n;'])
  const swapped = faultsOf('+= and -= swapped', source)
  expect(swapped.map((fault) => fault.in)).toEqual(['a', 'a', 'b', 'c'])
  expect(swapped[0]?.result).toContain('shares[msg.sender] += n; total = total - n;')
  expect(swapped[1]?.result).toContain('total = total + n;')
  expect(swapped[2]?.result).toContain('= add(shares[msg.sender], n)')
  expect(swapped[3]?.result).toContain('shares[msg.sender] -= n;')
})

test('removes the mark of what happens once, not a setting', () => {
  const source = vault(`
    function claim(bytes32 id) external { require(!paid[id]); paid[id] = true; token.transfer(msg.sender, 1); }
    function open() external onlyOwner { require(!ready); ready = true; }`)
  expect(faultsOf('once-only mark removed', source).map(({ removed }) => removed)).toEqual(['paid[id] = true;'])
})

test('keeps the value of a nonce that is not counted', () => {
  const source = vault('function permit(address who) external { index = nonces[who]++; }')
  expect(faultsOf('nonce not counted', source)[0]?.result).toContain('index = nonces[who];')
})

test('removes a settlement: what depends on the clock and is updated', () => {
  const source = vault(`
    function accrue() public { index += block.timestamp - lastTime; lastTime = block.timestamp; }
    function note() internal { index += 1; }
    function stake(uint256 n) external { accrue(); note(); shares[msg.sender] += n; }`)
  expect(faultsOf('settlement removed', source).map(({ removed }) => removed)).toEqual(['accrue();'])
})

test('removes limits that come in with the call', () => {
  const source = vault(`
    function quote() internal view returns (uint256) { return total; }
    function swap(uint256 minOut, uint256 deadline) external {
      require(block.timestamp <= deadline, "late");
      uint256 out = quote();
      require(out >= minOut, "little");
      token.transfer(msg.sender, out);
    }
    function setLimit(uint256 maxTotal) external onlyOwner { require(maxTotal > quote()); total = maxTotal; }`)
  expect(faultsOf('slippage check removed', source).map(({ removed }) => removed)).toEqual([
    'require(out >= minOut, "little");',
  ])
  expect(faultsOf('staleness check removed', source).map(({ removed }) => removed)).toEqual([
    'require(block.timestamp <= deadline, "late");',
  ])
})

test('removes what makes an initializer run once', () => {
  const source = vault(`
    modifier initializer() { require(!ready); ready = true; _; }
    function initialize(address first) external initializer { owner = first; }
    function init(address first) external { require(owner == address(0)); owner = first; }`)
  expect(faultsOf('initializer removed', source).map(({ removed }) => removed)).toEqual([
    'initializer',
    'require(owner == address(0));',
  ])
})

test('takes a result unchecked', () => {
  const source = vault(`
    function pay(uint256 n) external { require(token.transfer(msg.sender, n), "no"); }
    function send(address to) external { (bool ok, ) = to.call{value: 1}(""); require(ok); }`)
  const faults = faultsOf('result not checked', source)
  expect(faults.map((fault) => fault.in)).toEqual(['pay', 'send'])
  expect(faults[0]?.result).toContain('{ token.transfer(msg.sender, n); }')
})
