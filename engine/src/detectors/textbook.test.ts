/**
 * The fifteen weaknesses of the written interface, each in its textbook form, in the Solidity of three ages: always a finding, with the
 * severity of the table, and never only a question for review.
 */
import { describe, expect, test } from 'vitest'
import { scanFiles } from '../index.ts'

type Age = '0.4' | '0.6' | '0.8'

const compilers: Record<Age, string> = { '0.4': '0.4.26', '0.6': '0.6.12', '0.8': '0.8.28' }

interface Words {
  /** Of an account that can be paid. */
  readonly payable: (account: string) => string
  readonly constructor: string
  readonly unchecked: (code: string) => string
  /** `.call` with so much ether, as a statement's right side; the first value says whether it worked. */
  readonly send: (to: string, value: string) => string
  readonly now: string
  readonly random: string
}

const words: Record<Age, Words> = {
  '0.4': {
    payable: (account) => account,
    constructor: 'constructor() public',
    unchecked: (code) => code,
    send: (to, value) => `require(${to}.call.value(${value})());`,
    now: 'now',
    random: 'block.difficulty',
  },
  '0.6': {
    payable: (account) => `payable(${account})`,
    constructor: 'constructor() public',
    unchecked: (code) => code,
    send: (to, value) => `(bool ok, ) = ${to}.call{value: ${value}}(""); require(ok);`,
    now: 'block.timestamp',
    random: 'block.difficulty',
  },
  '0.8': {
    payable: (account) => `payable(${account})`,
    constructor: 'constructor()',
    unchecked: (code) => `unchecked { ${code} }`,
    send: (to, value) => `(bool ok, ) = ${to}.call{value: ${value}}(""); require(ok);`,
    now: 'block.timestamp',
    random: 'block.prevrandao',
  },
}

interface Textbook {
  readonly swc: string
  readonly severity: string
  readonly pragma?: (compiler: string) => string
  readonly code: (w: Words, age: Age) => string
}

const textbooks: readonly Textbook[] = [
  {
    swc: 'SWC-101',
    severity: 'critical',
    code: (w) => `contract Token {
      mapping(address => uint256) public balanceOf;
      ${w.constructor} { balanceOf[msg.sender] = 1000000; }
      function transfer(address to, uint256 amount) public returns (bool) {
        ${w.unchecked('balanceOf[msg.sender] -= amount; balanceOf[to] += amount;')}
        return true;
      }
    }`,
  },
  {
    swc: 'SWC-103',
    severity: 'high',
    pragma: (compiler) => `^${compiler}`,
    code: () => `contract Box {
      uint256 public value;
      function set(uint256 to) public { value = to; }
    }`,
  },
  {
    swc: 'SWC-104',
    severity: 'high',
    code: (w) => `contract Bank {
      mapping(address => uint256) public balances;
      function deposit() public payable { balances[msg.sender] += msg.value; }
      function withdraw(uint256 amount) public {
        require(balances[msg.sender] >= amount);
        balances[msg.sender] -= amount;
        ${w.payable('msg.sender')}.send(amount);
      }
    }`,
  },
  {
    swc: 'SWC-105',
    severity: 'critical',
    code: (w) => `contract Wallet {
      function deposit() public payable {}
      function withdraw(uint256 amount) public { ${w.payable('msg.sender')}.transfer(amount); }
    }`,
  },
  {
    swc: 'SWC-106',
    severity: 'critical',
    code: (w) => `contract Wallet {
      function deposit() public payable {}
      function close() public { selfdestruct(${w.payable('msg.sender')}); }
    }`,
  },
  {
    swc: 'SWC-107',
    severity: 'critical',
    code: (w) => `contract Bank {
      mapping(address => uint256) public balances;
      function deposit() public payable { balances[msg.sender] += msg.value; }
      function withdraw() public {
        uint256 amount = balances[msg.sender];
        ${w.send('msg.sender', 'amount')}
        balances[msg.sender] = 0;
      }
    }`,
  },
  {
    swc: 'SWC-112',
    severity: 'critical',
    code: (_, age) => `contract Proxy {
      address public owner;
      function deposit() public payable {}
      function forward(address callee, bytes ${age === '0.4' ? '' : 'memory '}data) public {
        ${age === '0.4' ? 'require(callee.delegatecall(data));' : '(bool ok, ) = callee.delegatecall(data); require(ok);'}
      }
    }`,
  },
  {
    swc: 'SWC-113',
    severity: 'high',
    code: (w) => `contract Auction {
      address public leader;
      uint256 public highest;
      function bid() public payable {
        require(msg.value > highest);
        if (leader != address(0)) ${w.payable('leader')}.transfer(highest);
        leader = msg.sender;
        highest = msg.value;
      }
    }`,
  },
  {
    swc: 'SWC-114',
    severity: 'high',
    code: () => `contract Registry {
      mapping(address => uint256) public points;
      function claim() public { points[tx.origin] += 10; }
    }`,
  },
  {
    swc: 'SWC-115',
    severity: 'high',
    code: (w) => `contract Wallet {
      address public owner;
      ${w.constructor} { owner = msg.sender; }
      function deposit() public payable {}
      function pay(address to, uint256 amount) public {
        require(tx.origin == owner);
        ${w.payable('to')}.transfer(amount);
      }
    }`,
  },
  {
    swc: 'SWC-116',
    severity: 'medium',
    code: (w) => `contract Sale {
      uint256 public constant start = 1700000000;
      mapping(address => uint256) public bought;
      function buy() public payable {
        require(${w.now} >= start);
        bought[msg.sender] = msg.value;
      }
    }`,
  },
  {
    swc: 'SWC-118',
    severity: 'high',
    code: (_, age) => `contract Owned {
      address public owner;
      function ${age === '0.8' ? 'Constructor' : age === '0.6' ? 'constructor_' : 'owned'}() public { owner = msg.sender; }
      function deposit() public payable {}
      function withdraw(address ${age === '0.4' ? '' : 'payable '}to) public {
        require(msg.sender == owner);
        to.transfer(address(this).balance);
      }
    }`,
  },
  {
    swc: 'SWC-120',
    severity: 'high',
    code: (w) => `contract Lottery {
      function play() public payable {
        require(msg.value == 1 ether);
        if (uint256(keccak256(abi.encodePacked(${w.random}, ${w.now}))) % 2 == 0) ${w.payable('msg.sender')}.transfer(2 ether);
      }
    }`,
  },
  {
    swc: 'SWC-123',
    severity: 'medium',
    code: () => `contract Bar {
      function half(uint256 x) public pure returns (uint256) { require(x > 0); return x / 2; }
    }
    contract Foo {
      Bar private bar;
      function ask() public returns (uint256) { bar = new Bar(); return bar.half(0); }
    }`,
  },
  {
    swc: 'SWC-132',
    severity: 'medium',
    code: () => `contract Game {
      bool public open;
      function deposit() public payable {}
      function start() public {
        require(address(this).balance == 5 ether);
        open = true;
      }
    }`,
  },
]

describe.each(Object.keys(compilers) as Age[])('in Solidity %s', (age) => {
  test.each(textbooks)('$swc is a finding of severity $severity', ({ swc, severity, pragma, code }) => {
    const text = `// SPDX-License-Identifier: MIT
    pragma solidity ${(pragma ?? String)(compilers[age])};
    ${code(words[age], age)}`
    const [report] = scanFiles([{ path: 'Textbook.sol', text }])
    expect(report!.parseErrors).toEqual([])
    const reported = report!.findings.map((finding) => `${finding.swc} ${finding.severity}`)
    expect(
      reported,
      report!.advisories.map(({ detector, kind }) => `${detector} ${kind ?? 'advisory'}`).join(),
    ).toContain(`${swc} ${severity}`)
  })
})
