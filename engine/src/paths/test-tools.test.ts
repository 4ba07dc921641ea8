import { describe, expect, test } from 'vitest'
import { isTestTool } from './test-tools.ts'

const log = '0x000000000000000000636F6e736F6c652e6c6f67'
const console = `pragma solidity ^0.8.0;
library console {
    address constant CONSOLE_ADDRESS = address(${log});
    function log(string memory text) internal view { CONSOLE_ADDRESS.staticcall(abi.encodeWithSignature("log(string)", text)); }
}
`

describe('a file of a test runner', () => {
  test.each([
    ['console.sol', console],
    [
      'a base of forge-std',
      'abstract contract Base { address constant VM = address(uint160(uint256(keccak256("hevm cheat code")))); }',
    ],
    ['ds-test', 'contract DSTest { address constant HEVM = 0x7109709ECfa91a80626fF3989D68f67F5b1DD12D; }'],
  ])('%s', (_name, text) => {
    expect(isTestTool(text)).toBe(true)
  })

  test.each([
    ['a contract that gets deployed', `${console}contract Bank {}`],
    ['one that inherits', `${console}contract Bank is Base {}`],
    ['one behind a string that looks like a comment', `${console}string constant X = "//"; contract Bank {}`],
    ['one whose name stands on the next line', `${console}contract\n\tBank\n{ }`],
    ['an address in a comment alone', `// ${log}\nlibrary Math {}`],
    ['any other library', 'library Math { function add(uint256 a) internal {} }'],
  ])('is not %s', (_name, text) => {
    expect(isTestTool(text)).toBe(false)
  })

  test('long texts take linear time', () => {
    for (const part of ['contract ', 'contract a ', '/* ', '"\\', 'abstract ', `${log} `])
      expect(isTestTool(`${log}${part.repeat(200_000)}`)).toBeTypeOf('boolean')
  })
})
