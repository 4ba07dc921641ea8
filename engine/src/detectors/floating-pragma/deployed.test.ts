import { expect, test } from 'vitest'
import { scanFiles } from '../../index.ts'

const floating = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n'
const vault = `${floating}contract Vault { uint256 public count; function step() external { count += 1; } }`

/** How sure it is that the pragma of `src/Vault.sol` matters, beside another file. */
const besideOther = (path: string, other: string) =>
  scanFiles([
    { path: 'src/Vault.sol', text: vault },
    { path, text: `${floating}${other}` },
  ])[0]!.findings.find(({ detector }) => detector === 'floating-pragma')?.confidence

const derived = `import '../src/Vault.sol';\ncontract Feed is Vault { function more() external { count += 2; } }`

test('a contract that another one inherits may be no more than its base', () => {
  expect(besideOther('src/Feed.sol', derived)).toBe('medium')
})

test('a contract that others only use, or that a test derives from, is deployed', () => {
  expect(
    besideOther('src/Feed.sol', `import './Vault.sol';\ncontract Feed { Vault public vault = new Vault(); }`),
  ).toBe('high')
  expect(besideOther('test/Feed.t.sol', derived)).toBe('high')
})

test('a test that a runner runs is not deployed, what it tests is', () => {
  const check = 'contract Check is Test { function testStep() external { vm.warp(100); } }'
  const runner = `import 'forge-std/Test.sol';\n${check}`
  expect(besideOther('Check.sol', runner)).toBe('high')
  const alone = scanFiles([{ path: 'Check.sol', text: `${floating}${runner}` }])[0]!.findings
  expect(alone.find(({ detector }) => detector === 'floating-pragma')?.confidence).toBe('medium')
})
