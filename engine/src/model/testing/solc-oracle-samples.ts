import type { InputFile } from '../index.ts'

/** Sources of our own for the comparison with solc: scopes, overloads, inheritance and spellings of each version. */
export interface OracleSample {
  readonly name: string
  readonly versions: readonly string[]
  /** References the comparison must at least hold. */
  readonly atLeast: number
  readonly files: readonly InputFile[]
}

const single = (text: string): InputFile[] => [{ path: 'sample.sol', text }]

export const oracleSamples: readonly OracleSample[] = [
  {
    name: 'function-wide scopes, named constructors, old calls',
    versions: ['0.4'],
    atLeast: 75,
    files: single(`pragma solidity ^0.4.11;
library Math { function plus(uint a, uint b) internal pure returns (uint c) { c = a + b; assert(c >= a); } }
contract Base { using Math for uint; uint level; mapping (address => uint) balances; event Note(address who, uint what);
  modifier onlyBy(address who) { if (msg.sender != who) throw; _; }
  function Base(uint start) public { level = start; }
  function touch(uint by) public returns (uint) { level = level.plus(by); return level; }
  function touch(address who, uint by) public returns (uint) { balances[who] = balances[who].plus(by); return balances[who]; }
}
contract Other { function touch(uint by) public returns (uint) { return by; } }
contract Child is Base(3), Other {
  uint level; address owner = msg.sender;
  function Child() public { owner = tx.origin; }
  function hoisted(uint n) public onlyBy(owner) returns (uint sum) {
    total = 1;
    for (uint i = 0; i < n; i++) { uint part = i * 2; sum += part; }
    i = 0; part = 7;
    uint total = sum + i + part;
    var (a, b) = pair(total); var c = a;
    sum = c; if (b) { sum = now; }
    Note(msg.sender, sum); owner.call.value(1).gas(2)(); if (!owner.send(1)) throw;
    sum += touch(1) + touch(owner, 2) + super.touch(3) + Base.touch(4);
  }
  function pair(uint x) internal constant returns (uint, bool) { return (x, x > 1); }
  function low() public { uint here = 5; uint[] list; assembly { let x := add(here, level_slot) x := mload(x) here := x } list.push(here); sha3(here); suicide(owner); }
  function () public payable { balances[msg.sender] += msg.value; }
}`),
  },
  {
    name: 'block scopes, inherited using for',
    versions: ['0.5', '0.6'],
    atLeast: 60,
    files: single(`pragma solidity >=0.5.0 <0.7.0;
library Math { function plus(uint a, uint b) internal pure returns (uint) { return a + b; } struct Pair { uint left; uint right; }
  function total(Pair memory p) internal pure returns (uint) { return p.left + p.right; } }
interface Token { function transfer(address to, uint value) external returns (bool); function balanceOf(address who) external view returns (uint); }
contract Base { using Math for uint; using Math for Math.Pair; uint x; enum Kind { None, Some } Kind kind; }
contract Child is Base {
  Token public token; mapping(address => Math.Pair) pairs; address payable owner;
  constructor(Token t) public { token = t; owner = msg.sender; }
  function shadow(uint n) public returns (uint) {
    x = n; { uint x = 2; x += n; } x = 3;
    for (uint i = 0; i < n; i++) { uint y = i.plus(1); x += y; }
    uint i = 9; uint y = i; if (n > 1) { uint y = 4; return y; } else { uint z = y; return z; }
  }
  function pay(uint n) external { require(token.transfer(owner, token.balanceOf(address(this)))); (bool ok, ) = owner.call.value(n)(""); require(ok);
    Math.Pair storage p = pairs[msg.sender]; p.left = n; x = p.total() + Math.plus(n, p.right); kind = Kind.Some; if (kind == Kind.None) revert("never"); }
  function slot() public view returns (uint r) { assembly { r := sload(x_slot) } }
}`),
  },
  {
    name: 'virtual and override, diamonds, try and catch',
    versions: ['0.6', '0.7', '0.8'],
    atLeast: 74,
    files: single(
      `pragma solidity >=0.6.2 <0.9.0;
interface Feed { function price(uint id) external view returns (uint value, uint time); }
abstract contract Root { uint internal steps; function step() public virtual { steps += 1; } modifier counted() virtual { _; steps++; } function name() public pure virtual returns (string memory); }
contract Left is Root { function step() public virtual override { super.step(); steps += 2; } function name() public pure virtual override returns (string memory) { return "left"; } }
contract Right is Root { function step() public virtual override { super.step(); steps += 3; } function name() public pure virtual override returns (string memory) { return "right"; } }
contract Maker { constructor(Feed f) public { f.price(1); } }
contract Both is Left, Right {
  Feed feed; mapping(uint => uint[]) history; struct Entry { uint value; uint time; } Entry[] entries; uint constant MAX = 10 ** 2; uint[MAX] ring;
  constructor(Feed f) public { feed = f; }
  function step() public override(Left, Right) counted { super.step(); Right.step(); }
  function name() public pure override(Left, Right) returns (string memory) { return Right.name(); }
  modifier counted() override { require(steps < MAX); _; }
  function read(uint id) external returns (uint last) {
    try feed.price{gas: 50000}(id) returns (uint value, uint time) { entries.push(Entry({time: time, value: value})); last = value; }
    catch Error(string memory reason) { last = bytes(reason).length; } catch (bytes memory data) { last = data.length; }
    history[id].push(last); ring[0] = history[id][0]; delete entries; Feed self = Feed(address(this)); self.price(id);
    function (uint) internal returns (uint) pointer = inner; last = pointer(last);
  }
  function inner(uint a) internal returns (uint) { steps = a; return a; }
  function make() public returns (address) { return address(new Maker{salt: 0}(feed)); }
  receive() external payable { steps = msg.value; }
  fallback() external { steps = block.number; }
}`,
    ),
  },
  {
    name: 'user types, errors, global using, unchecked, transient words',
    versions: ['0.8'],
    atLeast: 90,
    files: [
      {
        path: 'price.sol',
        text: `pragma solidity ^0.8.26;
type Price is uint128;
error TooDear(Price limit, Price given);
uint256 constant UNIT = 1e18;
using {add as +, lower, Prices.higher} for Price global;
function add(Price a, Price b) pure returns (Price) { return Price.wrap(Price.unwrap(a) + Price.unwrap(b)); }
function lower(Price a, Price b) pure returns (Price) { return Price.unwrap(a) < Price.unwrap(b) ? a : b; }
function scale(uint256 x) pure returns (uint256) { return x * UNIT; }
function scale(int256 x) pure returns (int256) { return x * int256(UNIT); }
library Prices { function higher(Price a, Price b) internal pure returns (Price) { return lower(b, a); } event Set(Price p); error Bad(); }`,
      },
      {
        path: 'shop/Shop.sol',
        text: `pragma solidity ^0.8.26;
import {Price as Cost, TooDear, scale, Prices} from "../price.sol";
import * as All from "../price.sol";
import "./Owned.sol";
contract Shop is Owned(msg.sender) {
  Cost public limit; uint256 from; uint256 error; mapping(address buyer => Cost paid) public bills;
  event Sold(address indexed buyer, Cost cost); event Sold(uint256 id);
  constructor(Cost max) { limit = max; }
  function buy(Cost cost) external payable onlyOwner returns (uint256 id) {
    if (Cost.unwrap(cost) > Cost.unwrap(limit)) revert TooDear(limit, cost);
    require(msg.value > 0, Prices.Bad()); Cost sum = bills[msg.sender] + cost.lower(limit).higher(cost);
    bills[msg.sender] = sum; emit Sold(msg.sender, sum); emit Sold({id: 7}); emit Prices.Set(sum);
    unchecked { from -= 1; id = scale(from) + uint256(scale(int256(-1))) + All.scale(uint256(2)) + All.UNIT; }
    error = type(uint8).max; bytes memory data = abi.encodeCall(this.buy, (cost)); (Cost back) = abi.decode(data, (Cost)); limit = back;
    string memory joined = string.concat("a", unicode"ü"); data = bytes.concat(data, bytes(joined)); this.limit(); Shop.buy.selector; 
  }
  function slot() external view returns (bytes32 r) { assembly ("memory-safe") { function twice(v) -> w { w := mul(v, 2) } r := sload(limit.slot) if lt(r, 3) { r := twice(r) } } }
}`,
      },
      {
        path: 'shop/Owned.sol',
        text: `pragma solidity ^0.8.26;
import "../price.sol";
abstract contract Owned { address private owner; constructor(address first) { owner = first; } modifier onlyOwner() { check(); _; } function check() internal view { require(msg.sender == owner, "not owner"); } }`,
      },
    ],
  },
]
