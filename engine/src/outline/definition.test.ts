import { expect, test } from 'vitest'
import { declarationsOf, definitionsAt } from './index.ts'

const vault = `pragma solidity ^0.8.20;
import { Ledger, ILog } from './Ledger.sol';

contract Vault is Ledger {
    ILog log;
    struct Claim { uint256 amount; }
    modifier onlyKeeper() { _; }

    function pay(address to, uint256 amount) external onlyKeeper {
        Claim memory claim = Claim(amount);
        _move(to, claim.amount);
        log.note(to);
    }

    function _move(address to) internal {}
}
`
const ledger = `pragma solidity ^0.8.20;
interface ILog { function note(address who) external; }
contract Log is ILog {
    function note(address who) external {}
}
contract Ledger {
    mapping(address => uint256) balances;
    function _move(address to, uint256 amount) internal {
        balances[to] += amount;
        require(amount > 0);
    }
}
`
const files = [
  { path: 'Vault.sol', text: vault },
  { path: 'Ledger.sol', text: ledger },
]

/** The places where the name in a line, marked by what precedes it, is declared. */
const placesOf = (path: string, before: string, name: string): string[] => {
  const text = files.find((file) => file.path === path)?.text ?? ''
  const lines = text.split('\n')
  const line = lines.findIndex((each) => each.includes(before + name))
  const column = (lines[line] ?? '').indexOf(before + name) + before.length + 1
  return definitionsAt(files, { path, line: line + 1, column: column + 1 }).map(
    (each) => `${each.kind} ${each.path}:${each.line}:${each.column}`,
  )
}

test('a call goes to the overload that it picks, also in another file', () => {
  expect(placesOf('Vault.sol', '        ', '_move')).toEqual(['function Ledger.sol:8:14'])
})

test('a call on an interface goes to what implements it, then to the interface', () => {
  expect(placesOf('Vault.sol', 'log.', 'note')).toEqual(['function Ledger.sol:4:14', 'function Ledger.sol:2:27'])
})

test('modifiers, types, fields, parameters, state and base contracts have definitions', () => {
  expect(placesOf('Vault.sol', 'external ', 'onlyKeeper')).toEqual(['modifier Vault.sol:7:14'])
  expect(placesOf('Vault.sol', '        ', 'Claim memory')).toEqual(['struct Vault.sol:6:12'])
  expect(placesOf('Vault.sol', 'claim.', 'amount')).toEqual(['variable Vault.sol:6:28'])
  expect(placesOf('Vault.sol', 'Claim(', 'amount')).toEqual(['variable Vault.sol:9:38'])
  expect(placesOf('Ledger.sol', '        ', 'balances')).toEqual(['state variable Ledger.sol:7:33'])
  expect(placesOf('Vault.sol', 'is ', 'Ledger')).toEqual(['contract Ledger.sol:6:10'])
})

test('builtins, words of the language and places outside of the text have none', () => {
  expect(placesOf('Ledger.sol', '        ', 'require')).toEqual([])
  expect(placesOf('Vault.sol', '', 'contract')).toEqual([])
  expect(definitionsAt(files, { path: 'Vault.sol', line: 99, column: 1 })).toEqual([])
  expect(definitionsAt(files, { path: 'Nowhere.sol', line: 1, column: 1 })).toEqual([])
})

test('the declarations of a project are listed with their contract', () => {
  const listed = declarationsOf(files).map(({ name, kind, contract }) =>
    [contract, kind, name].filter(Boolean).join(' '),
  )
  expect(listed).toContain('Vault modifier onlyKeeper')
  expect(listed).toContain('Ledger function _move')
  expect(listed).toContain('Ledger state variable balances')
  expect(listed).toContain('interface ILog')
})
