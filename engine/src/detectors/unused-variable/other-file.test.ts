import { expect, test } from 'vitest'
import { scanFiles } from '../../index.ts'

const library = `pragma solidity 0.8.17;
library Parameters {
    event PeriodUpdated(uint256 period);
    struct Data { uint256 period; }
    function set(Data storage self, uint256 period) internal { self.period = period; emit PeriodUpdated(period); }
}`

const contract = (event: string): string => `pragma solidity 0.8.17;
import './Parameters.sol';
contract Governance {
    using Parameters for Parameters.Data;
    Parameters.Data private data;
    ${event}
    function set(uint256 period) external { data.set(period); }
}`

const unusedIn = (event: string): readonly string[] =>
  scanFiles([
    { path: 'Parameters.sol', text: library },
    { path: 'Governance.sol', text: contract(event) },
  ])
    .flatMap(({ findings }) => findings)
    .filter(({ detector }) => detector === 'unused-variable')
    .map(({ line }) => `line ${line}`)

test('an event that a library emits in the name of the contract is used', () => {
  expect(unusedIn('event PeriodUpdated(uint256 period);')).toEqual([])
})

test.each(['event PeriodUpdated(uint256 period, address by);', 'event PeriodChanged(uint256 period);'])(
  'another event is not: %s',
  (event) => {
    expect(unusedIn(event)).toEqual(['line 6'])
  },
)
