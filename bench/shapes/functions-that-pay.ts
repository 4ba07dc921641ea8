/** One contract of more and more functions that take and pay what people own. */
import { contract, functions, type Shapes, times, tokens } from './write.ts'

export const ofPayments: Shapes = {
  'loops over one list in functions': [
    30,
    (n) =>
      functions(
        'address[] l; function add(address a) public { l.push(a); }',
        n,
        (i) => `function f${i}() public { for (uint i = 0; i < l.length; i++) payable(l[i]).transfer(1); }`,
      ),
  ],
  'writers and loops over one list': [
    25,
    (n) =>
      functions(
        'address[] l;',
        n,
        (i) =>
          `function f${i}(address a) public { l.push(a); for (uint i = 0; i < l.length; i++) payable(l[i]).transfer(1); }`,
      ),
  ],
  'many lists looped': [
    25,
    (n) =>
      functions(
        '',
        n,
        (i) =>
          `address[] l${i}; function g${i}(address a) public { l${i}.push(a); } function f${i}() public { for (uint i = 0; i < l${i}.length; i++) payable(l${i}[i]).transfer(1); }`,
      ),
  ],
  'transferFrom in functions': [
    25,
    (n) =>
      tokens +
      functions(
        'IERC20 t; mapping(address=>uint) m;',
        n,
        (i) =>
          `function f${i}(uint a) public { require(t.transferFrom(msg.sender, address(this), a)); m[msg.sender] += a; }`,
      ),
  ],
  'transferFrom of others': [
    25,
    (n) =>
      tokens +
      functions(
        'IERC20 t; mapping(address=>uint) m;',
        n,
        (i) => `function f${i}(address x, uint a) public { t.transferFrom(x, address(this), a); m[msg.sender] += a; }`,
      ),
  ],
  'deposit and withdraw token': [
    15,
    (n) =>
      tokens +
      functions(
        'IERC20 t; mapping(address=>uint) m; uint total;',
        n,
        (i) =>
          `function d${i}(uint a) public { t.transferFrom(msg.sender, address(this), a); m[msg.sender] += a; total += a; } function w${i}(uint a) public { m[msg.sender] -= a; total -= a; t.transfer(msg.sender, a); }`,
      ),
  ],
  'share vaults': [
    12,
    (n) =>
      tokens +
      functions(
        'IERC20 t; mapping(address=>uint) m; uint total;',
        n,
        (i) =>
          `function d${i}(uint a) public { uint b = t.balanceOf(address(this)); uint sh = total == 0 ? a : a * total / b; t.transferFrom(msg.sender, address(this), a); m[msg.sender] += sh; total += sh; } function w${i}(uint sh) public { uint a = sh * t.balanceOf(address(this)) / total; m[msg.sender] -= sh; total -= sh; t.transfer(msg.sender, a); }`,
      ),
  ],
  'reentrancy locks': [
    25,
    (n) =>
      functions(
        'bool l; mapping(address=>uint) m; modifier lock() { require(!l); l = true; _; l = false; }',
        n,
        (i) =>
          `function f${i}() public lock { uint a = m[msg.sender]; (bool ok, ) = msg.sender.call{value: a}(""); require(ok); m[msg.sender] = 0; }`,
      ),
  ],
  'reentrant functions': [
    20,
    (n) =>
      functions(
        'mapping(address=>uint) m;',
        n,
        (i) =>
          `function f${i}() public { uint a = m[msg.sender]; (bool ok, ) = msg.sender.call{value: a}(""); require(ok); m[msg.sender] = 0; }`,
      ),
  ],
  'reentrant functions old': [
    20,
    (n) =>
      functions(
        'mapping(address=>uint) m;',
        n,
        (i) =>
          `function f${i}(uint a) public { require(m[msg.sender] >= a); msg.sender.call.value(a)(); m[msg.sender] -= a; }`,
        '^0.4.24',
      ),
  ],
  'many accounts reentrant': [
    20,
    (n) =>
      functions(
        '',
        n,
        (i) =>
          `mapping(address=>uint) m${i}; function f${i}() public { uint a = m${i}[msg.sender]; (bool ok, ) = msg.sender.call{value: a}(""); require(ok); m${i}[msg.sender] = 0; }`,
      ),
  ],
  'flash-loan callbacks': [
    20,
    (n) =>
      tokens +
      functions(
        'IERC20 t; mapping(address=>uint) m;',
        n,
        (i) =>
          `function flash${i}(address r, uint a) public { uint b = t.balanceOf(address(this)); t.transfer(r, a); IFlash(r).onFlash${i}(a); require(t.balanceOf(address(this)) >= b); }`,
      ),
  ],
  callbacks: [
    25,
    (n) =>
      tokens +
      functions(
        'address pool; IERC20 t;',
        n,
        (i) =>
          `function uniswapV3SwapCallback${i}(int a, int b, bytes calldata d) external { (address p, address x) = abi.decode(d, (address, address)); if (a > 0) IERC20(x).transferFrom(p, msg.sender, uint(a)); else t.transfer(msg.sender, uint(b)); }`,
      ),
  ],
  'vote checkpoints': [
    20,
    (n) =>
      contract(
        `struct P { uint b; uint v; } mapping(address=>P[]) ps; mapping(address=>uint) bal; ${times(n, (i) => `function vote${i}(uint a) public { P[] storage l = ps[msg.sender]; if (l.length > 0 && l[l.length - 1].b == block.number) l[l.length - 1].v += a; else l.push(P(block.number, bal[msg.sender])); }`)}`,
      ),
  ],
  'votes by balance': [
    20,
    (n) =>
      tokens +
      functions(
        'IERC20 t; mapping(uint=>uint) votes; mapping(uint=>mapping(address=>bool)) voted;',
        n,
        (i) =>
          `function vote${i}(uint p) public { require(!voted[p][msg.sender]); voted[p][msg.sender] = true; votes[p] += t.balanceOf(msg.sender); } function run${i}(uint p, address x, bytes memory d) public { require(votes[p] > ${i}); (bool ok, ) = x.call(d); require(ok); }`,
      ),
  ],
  swaps: [
    20,
    (n) =>
      `interface R { function swapExactTokensForTokens(uint,uint,address[] calldata,address,uint) external returns(uint[] memory); function getAmountsOut(uint,address[] calldata) external view returns(uint[] memory); }\n${functions('R r; address[] path;', n, (i) => `function f${i}(uint a) public { uint[] memory o = r.getAmountsOut(a, path); r.swapExactTokensForTokens(a, o[1] * ${i} / 100, path, msg.sender, block.timestamp); }`)}`,
  ],
  'spot prices': [
    20,
    (n) =>
      `interface P { function getReserves() external view returns(uint112,uint112,uint32); }\n${tokens}${functions('P p; IERC20 t; mapping(address=>uint) debt;', n, (i) => `function borrow${i}(uint a) public { (uint112 x, uint112 y, ) = p.getReserves(); require(a * y / x < t.balanceOf(msg.sender)); debt[msg.sender] += a; t.transfer(msg.sender, a); }`)}`,
  ],
  'price feeds': [
    20,
    (n) =>
      `interface F { function latestRoundData() external view returns(uint80,int,uint,uint,uint80); }\n${functions('F p; mapping(address=>uint) debt;', n, (i) => `function borrow${i}(uint a) public { (, int x, , uint u, ) = p.latestRoundData(); require(x > 0 && u > block.timestamp - ${i}); debt[msg.sender] += a * uint(x); payable(msg.sender).transfer(a); }`)}`,
  ],
  approvals: [
    25,
    (n) =>
      tokens +
      functions(
        'mapping(address=>mapping(address=>uint)) al; mapping(address=>uint) m;',
        n,
        (i) =>
          `function approve${i}(address t, uint a) public { al[msg.sender][t] = a; } function transferFrom${i}(address x, address t, uint a) public { al[x][msg.sender] -= a; m[x] -= a; m[t] += a; }`,
      ),
  ],
  erc721s: [
    15,
    (n) =>
      functions(
        'mapping(uint=>address) o; mapping(address=>uint) b;',
        n,
        (i) =>
          `function mint${i}(address t, uint id) public { require(o[id] == address(0)); o[id] = t; b[t]++; IERC721Receiver(t).onERC721Received(msg.sender, address(0), id, ""); } function move${i}(address t, uint id) public { require(o[id] == msg.sender); b[msg.sender]--; b[t]++; o[id] = t; }`,
      ),
  ],
  lotteries: [
    20,
    (n) =>
      functions(
        'address payable[] l; uint end;',
        n,
        (i) =>
          `function buy${i}() public payable { require(msg.value == 1 ether); l.push(payable(msg.sender)); } function draw${i}() public { require(block.timestamp > end); uint w = uint(keccak256(abi.encodePacked(block.difficulty, block.timestamp))) % l.length; l[w].transfer(address(this).balance); delete l; }`,
      ),
  ],
  auctions: [
    20,
    (n) =>
      functions(
        'address payable top; uint bid; mapping(address=>uint) back;',
        n,
        (i) =>
          `function bid${i}() public payable { require(msg.value > bid); top.transfer(bid); top = payable(msg.sender); bid = msg.value; }`,
      ),
  ],
  'auctions with refunds': [
    20,
    (n) =>
      functions(
        'address payable top; uint bid; mapping(address=>uint) back;',
        n,
        (i) =>
          `function bid${i}() public payable { require(msg.value > bid); back[top] += bid; top = payable(msg.sender); bid = msg.value; } function draw${i}() public { uint a = back[msg.sender]; back[msg.sender] = 0; payable(msg.sender).transfer(a); }`,
      ),
  ],
  selfdestructs: [
    30,
    (n) =>
      functions(
        'address o;',
        n,
        (i) => `function kill${i}(address payable t) public { require(msg.sender == o); selfdestruct(t); }`,
      ),
  ],
  'deleted entries': [
    30,
    (n) =>
      functions(
        'mapping(uint=>address) o; uint[] ids;',
        n,
        (i) =>
          `function f${i}(uint id) public { require(o[id] == msg.sender); delete o[id]; payable(msg.sender).transfer(${i}); }`,
      ),
  ],
  'old sends in functions': [
    30,
    (n) =>
      functions(
        'mapping(address=>uint) m;',
        n,
        (i) => `function f${i}(uint a) { if (m[msg.sender] >= a) { m[msg.sender] -= a; msg.sender.send(a); } }`,
        '^0.4.11',
      ),
  ],
  'old loops of payments': [
    20,
    (n) =>
      functions(
        'address[] l; mapping(address=>uint) m;',
        n,
        (i) =>
          `function add${i}() payable { l.push(msg.sender); m[msg.sender] += msg.value; } function pay${i}() { for (uint i = 0; i < l.length; i++) { l[i].transfer(m[l[i]] / ${i + 1}); } }`,
        '^0.4.18',
      ),
  ],
  'batch transfers old': [
    20,
    (n) =>
      functions(
        'mapping(address=>uint) m;',
        n,
        (i) =>
          `function batch${i}(address[] l, uint v) public { uint t = l.length * v; require(m[msg.sender] >= t); m[msg.sender] -= t; for (uint i = 0; i < l.length; i++) m[l[i]] += v; }`,
        '^0.4.18',
      ),
  ],
  'token sales': [
    20,
    (n) =>
      functions(
        'mapping(address=>uint) m; uint rate; uint sold; uint cap; address o;',
        n,
        (i) =>
          `function buy${i}() public payable { uint a = msg.value * rate; require(sold + a <= cap); sold += a; m[msg.sender] += a; } function setRate${i}(uint r) public { require(msg.sender == o); rate = r; }`,
        '^0.5.0',
      ),
  ],
  'stakes and rewards': [
    10,
    (n) =>
      tokens +
      functions(
        'IERC20 t; uint rpt; uint last; uint rate; uint total; mapping(address=>uint) paid; mapping(address=>uint) rew; mapping(address=>uint) bal;',
        n,
        (i) =>
          `function stake${i}(uint a) public { rpt += (block.timestamp - last) * rate * 1e18 / total; last = block.timestamp; rew[msg.sender] += bal[msg.sender] * (rpt - paid[msg.sender]) / 1e18; paid[msg.sender] = rpt; total += a; bal[msg.sender] += a; t.transferFrom(msg.sender, address(this), a); }`,
      ),
  ],
  'stakes and rewards by modifier': [
    10,
    (n) =>
      tokens +
      functions(
        'IERC20 t; uint rpt; uint last; uint rate; uint total; mapping(address=>uint) paid; mapping(address=>uint) rew; mapping(address=>uint) bal; modifier up() { rpt += (block.timestamp - last) * rate * 1e18 / total; last = block.timestamp; rew[msg.sender] += bal[msg.sender] * (rpt - paid[msg.sender]) / 1e18; paid[msg.sender] = rpt; _; }',
        n,
        (i) =>
          `function stake${i}(uint a) public up { total += a; bal[msg.sender] += a; t.transferFrom(msg.sender, address(this), a); } function out${i}(uint a) public up { total -= a; bal[msg.sender] -= a; t.transfer(msg.sender, a); }`,
      ),
  ],
  'payable multicall': [
    20,
    (n) =>
      functions(
        'mapping(address=>uint) m;',
        n,
        (i) =>
          `function f${i}(bytes[] calldata d) public payable { for (uint i = 0; i < d.length; i++) { (bool ok, ) = address(this).delegatecall(d[i]); require(ok); } m[msg.sender] += msg.value; }`,
      ),
  ],
  'merkle proofs': [
    15,
    (n) =>
      functions(
        'bytes32 root; mapping(address=>bool) got;',
        n,
        (i) =>
          `function claim${i}(bytes32[] calldata p, uint a) public { bytes32 h = keccak256(abi.encodePacked(msg.sender, a)); for (uint i = 0; i < p.length; i++) h = h < p[i] ? keccak256(abi.encodePacked(h, p[i])) : keccak256(abi.encodePacked(p[i], h)); require(h == root && !got[msg.sender]); got[msg.sender] = true; payable(msg.sender).transfer(a); }`,
      ),
  ],
  commitments: [
    20,
    (n) =>
      functions(
        'mapping(address=>bytes32) c; mapping(address=>uint) m;',
        n,
        (i) =>
          `function commit${i}(bytes32 h) public payable { c[msg.sender] = h; m[msg.sender] += msg.value; } function reveal${i}(uint v) public { require(keccak256(abi.encodePacked(v)) == c[msg.sender]); uint a = m[msg.sender]; m[msg.sender] = 0; payable(msg.sender).transfer(a); }`,
      ),
  ],
  puzzles: [
    25,
    (n) =>
      functions(
        'bytes32 h; uint reward;',
        n,
        (i) =>
          `function solve${i}(string memory x) public { require(keccak256(bytes(x)) == h); payable(msg.sender).transfer(reward); } function setReward${i}() public payable { reward = msg.value; }`,
      ),
  ],
  timelocks: [
    20,
    (n) =>
      functions(
        'mapping(address=>uint) m; mapping(address=>uint) until;',
        n,
        (i) =>
          `function put${i}(uint t) public payable { m[msg.sender] += msg.value; until[msg.sender] = block.timestamp + t; } function get${i}() public { require(block.timestamp >= until[msg.sender]); uint a = m[msg.sender]; m[msg.sender] = 0; payable(msg.sender).transfer(a); }`,
      ),
  ],
  'timelocks old': [
    20,
    (n) =>
      functions(
        'mapping(address=>uint) m; mapping(address=>uint) until;',
        n,
        (i) =>
          `function put${i}(uint t) public payable { m[msg.sender] += msg.value; until[msg.sender] += t; } function get${i}() public { require(now >= until[msg.sender]); uint a = m[msg.sender]; m[msg.sender] = 0; msg.sender.transfer(a); }`,
        '^0.6.0',
      ),
  ],
  multisigs: [
    12,
    (n) =>
      functions(
        'struct T { address to; uint v; bytes d; uint n; bool done; } T[] ts; mapping(uint=>mapping(address=>bool)) c; mapping(address=>bool) o; uint need;',
        n,
        (i) =>
          `function confirm${i}(uint id) public { require(o[msg.sender] && !c[id][msg.sender]); c[id][msg.sender] = true; ts[id].n++; } function exec${i}(uint id) public { T storage t = ts[id]; require(t.n >= need && !t.done); t.done = true; (bool ok, ) = t.to.call{value: t.v}(t.d); require(ok); }`,
      ),
  ],
}
