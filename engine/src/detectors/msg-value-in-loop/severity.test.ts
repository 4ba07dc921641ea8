import { expect, test } from 'vitest'
import { scanFiles } from '../../index.ts'

const severitiesOf = (members: string): readonly string[] => {
  const text = `pragma solidity 0.8.28;
interface IDesk { function swap(uint256 n) external payable; }
contract Router {
    mapping(address => uint256) public credit;
    uint256 public total;
    ${members}
    function swapAll(IDesk[] calldata desks) external payable {
        for (uint256 i = 0; i < desks.length; i++) desks[i].swap{value: msg.value}(i);
    }
}`
  return scanFiles([{ path: 'Router.sol', text }])
    .flatMap(({ findings, advisories }) => [...findings, ...advisories])
    .filter(({ detector }) => detector === 'msg-value-in-loop')
    .map(({ severity }) => severity)
}

test.each([
  'function deposit() external payable { credit[msg.sender] += msg.value; }',
  'function deposit(address to) external payable { credit[to] += msg.value; }',
  'function deposit() external payable { total += msg.value; }',
])('ether that users are credited with is sent again: high (%s)', (members) => {
  expect(severitiesOf(members)).toEqual(['high'])
})

test('ether that nobody has written down is sent again: medium', () => {
  expect(severitiesOf('receive() external payable {}')).toEqual(['medium'])
})

test.each(['', 'function count() external { total += 1; }', 'function refund() external { credit[msg.sender] = 0; }'])(
  'a contract that keeps no ether cannot send it again: low (%s)',
  (members) => {
    expect(severitiesOf(members)).toEqual(['low'])
  },
)
