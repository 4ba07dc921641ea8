import { type Stub, stub } from './stub.ts'

const safeTransferLib = (token: string) => `
library SafeTransferLib {
  function safeTransferETH(address to, uint256 amount) internal { (bool success, ) = to.call{value: amount}(""); require(success); }
  function safeTransferFrom(${token} token, address from, address to, uint256 amount) internal { require(IERC20(address(token)).transferFrom(from, to, amount)); }
  function safeTransfer(${token} token, address to, uint256 amount) internal { require(IERC20(address(token)).transfer(to, amount)); }
  function safeApprove(${token} token, address to, uint256 amount) internal { require(IERC20(address(token)).approve(to, amount)); }`

const fixedPoint = `
library FixedPointMathLib {
  function mulWadDown(uint256 x, uint256 y) internal pure returns (uint256) { return x * y / 1e18; }
  function mulWadUp(uint256 x, uint256 y) internal pure returns (uint256) { return (x * y + 1e18 - 1) / 1e18; }
  function divWadDown(uint256 x, uint256 y) internal pure returns (uint256) { return x * 1e18 / y; }
  function divWadUp(uint256 x, uint256 y) internal pure returns (uint256) { return (x * 1e18 + y - 1) / y; }
  function mulDivDown(uint256 x, uint256 y, uint256 denominator) internal pure returns (uint256) { return x * y / denominator; }
  function mulDivUp(uint256 x, uint256 y, uint256 denominator) internal pure returns (uint256) { return (x * y + denominator - 1) / denominator; }
  function mulWad(uint256 x, uint256 y) internal pure returns (uint256) { return x * y / 1e18; }
  function divWad(uint256 x, uint256 y) internal pure returns (uint256) { return x * 1e18 / y; }
  function mulDiv(uint256 x, uint256 y, uint256 d) internal pure returns (uint256) { return x * y / d; }
  function fullMulDiv(uint256 x, uint256 y, uint256 d) internal pure returns (uint256) { return x * y / d; }
  function rpow(uint256 x, uint256 n, uint256 scalar) internal pure returns (uint256);
  function sqrt(uint256 x) internal pure returns (uint256);
  function min(uint256 x, uint256 y) internal pure returns (uint256) { return x < y ? x : y; }
  function max(uint256 x, uint256 y) internal pure returns (uint256) { return x > y ? x : y; }
}`

const lock = `
abstract contract ReentrancyGuard {
  uint256 private locked = 1;
  modifier nonReentrant() virtual { require(locked == 1); locked = 2; _; locked = 1; }
  modifier nonReadReentrant() virtual { require(locked == 1); _; }
}`

export const solmate: readonly Stub[] = [
  stub('ReentrancyGuard', lock),
  stub('FixedPointMathLib', fixedPoint),
  stub(
    'SafeTransferLib',
    `import "IERC20"; import "ERC20";${safeTransferLib('ERC20')}
}`,
  ),
  stub(
    'Owned',
    `
abstract contract Owned {
  address public owner;
  event OwnershipTransferred(address indexed user, address indexed newOwner);
  modifier onlyOwner() virtual { require(msg.sender == owner); _; }
  constructor(address _owner) { owner = _owner; }
  function transferOwnership(address newOwner) public virtual { require(msg.sender == owner); owner = newOwner; }
}`,
  ),
  stub(
    'Auth',
    `
interface Authority { function canCall(address user, address target, bytes4 functionSig) external view returns (bool); }
abstract contract Auth {
  address public owner;
  Authority public authority;
  constructor(address _owner, Authority _authority) { owner = _owner; authority = _authority; }
  modifier requiresAuth() virtual { require(msg.sender == owner || authority.canCall(msg.sender, address(this), msg.sig)); _; }
  function isAuthorized(address user, bytes4 functionSig) internal view virtual returns (bool) { return user == owner || authority.canCall(user, address(this), functionSig); }
  function setAuthority(Authority newAuthority) public virtual { require(msg.sender == owner); authority = newAuthority; }
  function transferOwnership(address newOwner) public virtual { require(msg.sender == owner); owner = newOwner; }
}`,
  ),
  stub(
    'ERC20',
    `
abstract contract ERC20 {
  event Transfer(address indexed from, address indexed to, uint256 amount);
  event Approval(address indexed owner, address indexed spender, uint256 amount);
  string public name;
  string public symbol;
  uint8 public immutable decimals;
  uint256 public totalSupply;
  mapping(address => uint256) public balanceOf;
  mapping(address => mapping(address => uint256)) public allowance;
  mapping(address => uint256) public nonces;
  constructor(string memory _name, string memory _symbol, uint8 _decimals) { name = _name; symbol = _symbol; decimals = _decimals; }
  function approve(address spender, uint256 amount) public virtual returns (bool) { allowance[msg.sender][spender] = amount; return true; }
  function transfer(address to, uint256 amount) public virtual returns (bool) { balanceOf[msg.sender] -= amount; balanceOf[to] += amount; return true; }
  function transferFrom(address from, address to, uint256 amount) public virtual returns (bool) { allowance[from][msg.sender] -= amount; balanceOf[from] -= amount; balanceOf[to] += amount; return true; }
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public virtual { require(deadline >= block.timestamp); }
  function DOMAIN_SEPARATOR() public view virtual returns (bytes32) { return keccak256(abi.encode(block.chainid, address(this))); }
  function _mint(address to, uint256 amount) internal virtual { totalSupply += amount; balanceOf[to] += amount; }
  function _burn(address from, uint256 amount) internal virtual { balanceOf[from] -= amount; totalSupply -= amount; }
}`,
  ),
  stub(
    'ERC721',
    `
abstract contract ERC721 {
  event Transfer(address indexed from, address indexed to, uint256 indexed id);
  string public name;
  string public symbol;
  mapping(uint256 => address) internal _ownerOf;
  mapping(address => uint256) internal _balanceOf;
  mapping(uint256 => address) public getApproved;
  mapping(address => mapping(address => bool)) public isApprovedForAll;
  constructor(string memory _name, string memory _symbol) { name = _name; symbol = _symbol; }
  function tokenURI(uint256 id) public view virtual returns (string memory);
  function ownerOf(uint256 id) public view virtual returns (address owner) { require((owner = _ownerOf[id]) != address(0)); }
  function balanceOf(address owner) public view virtual returns (uint256) { return _balanceOf[owner]; }
  function approve(address spender, uint256 id) public virtual { require(msg.sender == _ownerOf[id] || isApprovedForAll[_ownerOf[id]][msg.sender]); getApproved[id] = spender; }
  function setApprovalForAll(address operator, bool approved) public virtual { isApprovedForAll[msg.sender][operator] = approved; }
  function transferFrom(address from, address to, uint256 id) public virtual { require(from == _ownerOf[id]); require(msg.sender == from || isApprovedForAll[from][msg.sender] || msg.sender == getApproved[id]); _ownerOf[id] = to; delete getApproved[id]; }
  function safeTransferFrom(address from, address to, uint256 id) public virtual { transferFrom(from, to, id); }
  function _mint(address to, uint256 id) internal virtual { require(_ownerOf[id] == address(0)); _balanceOf[to]++; _ownerOf[id] = to; }
  function _burn(uint256 id) internal virtual { delete _ownerOf[id]; }
  function _safeMint(address to, uint256 id) internal virtual { _mint(to, id); }
}`,
  ),
  stub(
    'ERC4626',
    `import "solmate/ERC20";
abstract contract ERC4626 is ERC20 {
  ERC20 public immutable asset;
  constructor(ERC20 _asset, string memory _name, string memory _symbol) ERC20(_name, _symbol, 18) { asset = _asset; }
  function totalAssets() public view virtual returns (uint256);
  function convertToShares(uint256 assets) public view virtual returns (uint256);
  function convertToAssets(uint256 shares) public view virtual returns (uint256);
  function previewDeposit(uint256 assets) public view virtual returns (uint256);
  function previewMint(uint256 shares) public view virtual returns (uint256);
  function previewWithdraw(uint256 assets) public view virtual returns (uint256);
  function previewRedeem(uint256 shares) public view virtual returns (uint256);
  function deposit(uint256 assets, address receiver) public virtual returns (uint256 shares) { require((shares = previewDeposit(assets)) != 0); require(asset.transferFrom(msg.sender, address(this), assets)); _mint(receiver, shares); afterDeposit(assets, shares); }
  function redeem(uint256 shares, address receiver, address owner) public virtual returns (uint256 assets) { if (msg.sender != owner) { allowance[owner][msg.sender] -= shares; } require((assets = previewRedeem(shares)) != 0); beforeWithdraw(assets, shares); _burn(owner, shares); require(asset.transfer(receiver, assets)); }
  function beforeWithdraw(uint256 assets, uint256 shares) internal virtual { }
  function afterDeposit(uint256 assets, uint256 shares) internal virtual { }
}`,
  ),
]

export const solady: readonly Stub[] = [
  stub('ReentrancyGuard', lock),
  stub('FixedPointMathLib', fixedPoint),
  stub(
    'SafeTransferLib',
    `import "IERC20";${safeTransferLib('address')}
  function safeTransferAllETH(address to) internal { (bool success, ) = to.call{value: address(this).balance}(""); require(success); }
  function forceSafeTransferETH(address to, uint256 amount) internal { (bool success, ) = to.call{value: amount, gas: 100000}(""); require(success); }
  function forceSafeTransferETH(address to, uint256 amount, uint256 gasStipend) internal { (bool success, ) = to.call{value: amount, gas: gasStipend}(""); require(success); }
  function trySafeTransferETH(address to, uint256 amount, uint256 gasStipend) internal returns (bool success) { (success, ) = to.call{value: amount, gas: gasStipend}(""); }
  function safeTransferAll(address token, address to) internal returns (uint256 amount) { amount = IERC20(token).balanceOf(address(this)); require(IERC20(token).transfer(to, amount)); }
  function balanceOf(address token, address account) internal view returns (uint256) { return IERC20(token).balanceOf(account); }
}`,
  ),
  stub(
    'Ownable',
    `
abstract contract Ownable {
  address private _ownerSlot;
  modifier onlyOwner() virtual { require(msg.sender == _ownerSlot); _; }
  function _initializeOwner(address newOwner) internal virtual { _ownerSlot = newOwner; }
  function _setOwner(address newOwner) internal virtual { _ownerSlot = newOwner; }
  function _checkOwner() internal view virtual { require(msg.sender == _ownerSlot); }
  function owner() public view virtual returns (address) { return _ownerSlot; }
  function transferOwnership(address newOwner) public payable virtual { require(msg.sender == _ownerSlot); _ownerSlot = newOwner; }
  function renounceOwnership() public payable virtual { require(msg.sender == _ownerSlot); _ownerSlot = address(0); }
}`,
  ),
  stub(
    'OwnableRoles',
    `import "solady/Ownable";
abstract contract OwnableRoles is Ownable {
  mapping(address => uint256) private _rolesOf;
  modifier onlyRoles(uint256 roles) virtual { require(_rolesOf[msg.sender] & roles != 0); _; }
  modifier onlyOwnerOrRoles(uint256 roles) virtual { require(msg.sender == owner() || _rolesOf[msg.sender] & roles != 0); _; }
  function hasAnyRole(address user, uint256 roles) public view virtual returns (bool) { return _rolesOf[user] & roles != 0; }
  function rolesOf(address user) public view virtual returns (uint256) { return _rolesOf[user]; }
  function grantRoles(address user, uint256 roles) public payable virtual { require(msg.sender == owner()); _rolesOf[user] |= roles; }
  function _grantRoles(address user, uint256 roles) internal virtual { _rolesOf[user] |= roles; }
}`,
  ),
]

export const dappsys: readonly Stub[] = [
  stub(
    'DSMath',
    `
contract DSMath {
  uint constant WAD = 10 ** 18;
  uint constant RAY = 10 ** 27;
  function add(uint x, uint y) internal pure returns (uint z) { z = x + y; }
  function sub(uint x, uint y) internal pure returns (uint z) { z = x - y; }
  function mul(uint x, uint y) internal pure returns (uint z) { z = x * y; }
  function min(uint x, uint y) internal pure returns (uint z) { return x <= y ? x : y; }
  function max(uint x, uint y) internal pure returns (uint z) { return x >= y ? x : y; }
  function wmul(uint x, uint y) internal pure returns (uint z) { z = (x * y + WAD / 2) / WAD; }
  function rmul(uint x, uint y) internal pure returns (uint z) { z = (x * y + RAY / 2) / RAY; }
  function wdiv(uint x, uint y) internal pure returns (uint z) { z = (x * WAD + y / 2) / y; }
  function rdiv(uint x, uint y) internal pure returns (uint z) { z = (x * RAY + y / 2) / y; }
}`,
  ),
  stub(
    'DSAuth',
    `
abstract contract DSAuthority { function canCall(address src, address dst, bytes4 sig) public view virtual returns (bool); }
contract DSAuth {
  DSAuthority public authority;
  address public owner;
  constructor() { owner = msg.sender; }
  modifier auth { require(msg.sender == owner || authority.canCall(msg.sender, address(this), msg.sig)); _; }
  function setOwner(address owner_) public { require(msg.sender == owner); owner = owner_; }
  function setAuthority(DSAuthority authority_) public { require(msg.sender == owner); authority = authority_; }
}`,
  ),
]
