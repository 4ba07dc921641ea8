import { scan } from '@assay/engine'
import { expect, test } from 'vitest'
import { paysNothingId, paysNothingRule } from '../bench/pays-nothing.ts'

const lines = (body: string, more = ''): number[] =>
  scan(`pragma solidity 0.6.12;\ncontract Till {\n    mapping(address => uint256) credit;\n${body}\n}\n${more}`, {
    path: 'Till.sol',
    rules: [paysNothingRule],
  })
    .advisories.filter(({ detector }) => detector === paysNothingId)
    .map(({ line }) => line)

const withdraw = `    function withdraw() public {
        (bool ok, ) = msg.sender.call{value: credit[msg.sender]}("");
        require(ok);
        credit[msg.sender] = 0;
    }`

const take = `    function take(uint256 amount) public {
        require(credit[msg.sender] >= amount);
        (bool ok, ) = msg.sender.call{value: amount}("");
        require(ok);
        credit[msg.sender] -= amount;
    }`

test.each([
  ['an entry that is only ever emptied', withdraw],
  ['an amount that was compared with an entry that is only ever lessened by as much', take],
])('pays nothing: %s', (_what, body) => {
  expect(lines(body)).toEqual([body === withdraw ? 5 : 6])
})

test.each([
  ['somebody fills it', `${withdraw}\n    function pay() public payable { credit[msg.sender] += msg.value; }`],
  ['the deployer fills it', `${withdraw}\n    constructor() public { credit[msg.sender] = 1 ether; }`],
  [
    'it is filled through a pointer',
    `${withdraw}
    function share() internal returns (mapping(address => uint256) storage) { return credit; }
    function pay() public payable { mapping(address => uint256) storage c = credit; c[msg.sender] = msg.value; }`,
  ],
  ['it wraps around', `${withdraw}\n    function lower(uint256 by) public { credit[msg.sender] -= by; }`],
  ['the amount is nothing that was compared', take.replace('        require(credit[msg.sender] >= amount);\n', '')],
  [
    'assembly writes somewhere',
    `${withdraw}\n    function any(uint256 slot, uint256 word) public { assembly { sstore(slot, word) } }`,
  ],
  ['foreign code writes anywhere', `${withdraw}\n    function run(address code) public { code.delegatecall(""); }`],
])('nothing is proven where %s', (_where, body) => {
  expect(lines(body)).toEqual([])
})

test('nothing is proven where one of the contracts that inherit it fills it', () => {
  const derived = 'contract Heir is Till {\n    function pay() public payable { credit[msg.sender] += msg.value; }\n}\n'
  expect(lines(withdraw, 'contract Idle is Till {}\n')).toEqual([5])
  expect(lines(withdraw, `contract Idle is Till {}\n${derived}`)).toEqual([])
})
