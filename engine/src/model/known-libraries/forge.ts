/** What Foundry gives to tests: found by the path of the import alone, since `Test` is a name that anyone uses. */
import { type Stub, stub } from './stub.ts'

const cheats = `
interface Vm {
  function prank(address sender) external;
  function prank(address sender, address origin) external;
  function startPrank(address sender) external;
  function startPrank(address sender, address origin) external;
  function stopPrank() external;
  function deal(address account, uint256 balance) external;
  function warp(uint256 timestamp) external;
  function roll(uint256 number) external;
  function store(address account, bytes32 slot, bytes32 value) external;
  function load(address account, bytes32 slot) external view returns (bytes32);
  function etch(address account, bytes calldata code) external;
  function label(address account, string calldata name) external;
  function assume(bool condition) external pure;
  function addr(uint256 privateKey) external pure returns (address);
  function sign(uint256 privateKey, bytes32 digest) external pure returns (uint8 v, bytes32 r, bytes32 s);
  function expectRevert() external;
  function expectRevert(bytes4 error) external;
  function expectRevert(bytes calldata error) external;
  function expectEmit() external;
  function expectEmit(bool first, bool second, bool third, bool data) external;
  function createFork(string calldata chain) external returns (uint256);
  function createFork(string calldata chain, uint256 number) external returns (uint256);
  function createSelectFork(string calldata chain) external returns (uint256);
  function createSelectFork(string calldata chain, uint256 number) external returns (uint256);
  function selectFork(uint256 fork) external;
  function startBroadcast() external;
  function stopBroadcast() external;
}`

export const forge: readonly Stub[] = [
  stub('Vm', cheats),
  stub(
    'Test',
    `
import "forge-std/Vm";
abstract contract Test {
  Vm internal constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
  bool public IS_TEST = true;
  function failed() public view returns (bool) { return vm.load(address(vm), "failed") != 0; }
  function fail() internal virtual { vm.store(address(vm), "failed", bytes32(uint256(1))); }
  function assertTrue(bool condition) internal virtual { if (!condition) fail(); }
  function assertTrue(bool condition, string memory) internal virtual { if (!condition) fail(); }
  function assertFalse(bool condition) internal virtual { if (condition) fail(); }
  function deal(address account, uint256 balance) internal virtual { vm.deal(account, balance); }
}`,
  ),
]
