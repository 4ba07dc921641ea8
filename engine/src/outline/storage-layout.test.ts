import { expect, test } from 'vitest'
import { outline } from './outline.ts'
import { namespaceSlot } from './storage-layout.ts'

const layoutOf = (source: string, name: string) => {
  // The second file does not begin at offset 0 of the program.
  const files = [
    { path: 'A.sol', text: 'pragma solidity 0.8.30;\n' },
    { path: 'B.sol', text: `pragma solidity 0.8.30;\n${source}` },
  ]
  return outline(files).contracts.find((contract) => contract.name === name)
}

test('the slot of a namespace is the one of ERC-7201', () => {
  // The example of the standard, and OwnableUpgradeable of OpenZeppelin 5.
  expect(namespaceSlot('example.main').toString(16)).toBe(
    '183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500',
  )
  expect(namespaceSlot('openzeppelin.storage.Ownable').toString(16)).toBe(
    '9016d09d72d40fdae2fd8ceac6b6234c7706214fd39c1cd1e609a0528c199300',
  )
})

test('fields of a namespaced struct lie behind its slot, in the order of packing', () => {
  const storage = layoutOf(
    `abstract contract Base {
       /// @custom:storage-location erc7201:example.main
       struct Main { uint128 a; uint64 b; uint256 c; }
       /* an older note */
       struct Plain { uint256 a; }
       uint256 first;
     }
     contract V is Base { uint256 own; }`,
    'V',
  )?.storage
  const start = namespaceSlot('example.main')
  expect(storage?.map(({ name, slot, offset, namespace }) => [name, slot, offset, namespace])).toEqual([
    ['first', '0', 0, undefined],
    ['own', '1', 0, undefined],
    ['Main.a', start.toString(), 0, 'example.main'],
    ['Main.b', start.toString(), 16, 'example.main'],
    ['Main.c', (start + 1n).toString(), 0, 'example.main'],
  ])
})

test('a namespace is known below a base that was not read', () => {
  const contract = layoutOf(
    `contract V is Missing {
       /** @custom:storage-location erc7201:example.main */
       struct Main { uint256 a; }
       uint256 own;
     }`,
    'V',
  )
  expect(contract?.unreadBases).toEqual(['Missing'])
  expect(contract?.storage.map(({ slot }) => slot)).toEqual(['?', namespaceSlot('example.main').toString()])
})

test('`layout at` moves the first slot', () => {
  const source = (at: string) => `uint256 constant START = 0x100;\ncontract V layout at ${at} { uint256 a; uint256 b; }`
  expect(layoutOf(source('0x10'), 'V')?.storage.map(({ slot }) => slot)).toEqual(['16', '17'])
  expect(layoutOf(source('START + 1'), 'V')?.storage.map(({ slot }) => slot)).toEqual(['257', '258'])
  expect(layoutOf(source('block.number'), 'V')?.storage.map(({ slot }) => slot)).toEqual(['?', '?'])
})
