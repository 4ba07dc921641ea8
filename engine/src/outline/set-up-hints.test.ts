import { expect, test } from 'vitest'
import { setUpHints } from './set-up-hints.ts'

const hintsOf = (text: string) => setUpHints([{ path: 'test/A.t.sol', text }])

test('constructor arguments and calls of setUp and of a deploy script are read as constants', () => {
  const text = `contract VaultTest is Test {
    uint256 constant CAP = 5 * 10 ** 6;
    Vault vault;
    function setUp() public {
      uint256 fee = 30;
      vault = new Vault(address(this), CAP, 1.5 ether, "shares", true);
      vault.setFee{value: 0}(fee);
      vault.setPeriod(uint64(2 days));
    }
    function testDeposit() public { vault.setFee(99); }
  }`
  expect(hintsOf(text)).toEqual([
    { contract: 'Vault', function: null, args: [null, 5_000_000n, 15n * 10n ** 17n, 'shares', true] },
    { contract: 'Vault', function: 'setFee', args: [30n] },
    { contract: 'Vault', function: 'setPeriod', args: [172_800n] },
  ])
})

test('what is computed at run time is left open, and what says nothing is left out', () => {
  const text = `contract Deploy is Script {
    function run() external {
      Token token = new Token(vm.envUint("SUPPLY"), msg.sender);
      token.mint(makeAddr("alice"), 10e18);
      new Vault({ token: token, cap: 5 });
      new Wide(1e999, 0.5);
    }
  }`
  expect(hintsOf(text)).toEqual([{ contract: 'Token', function: 'mint', args: [null, 10n ** 19n] }])
})
