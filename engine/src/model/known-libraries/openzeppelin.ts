import { type Stub, stub, upgradeable } from './stub.ts'

/** Contracts whose `-upgradeable` twin is made from the same text. */
const twinned: readonly Stub[] = [
  stub(
    'Context',
    `
abstract contract Context {
  function _msgSender() internal view virtual returns (address) { return msg.sender; }
  function _msgData() internal view virtual returns (bytes calldata) { return msg.data; }
  function _contextSuffixLength() internal view virtual returns (uint256) { return 0; }
}`,
  ),
  stub(
    'Ownable',
    `import "Context";
abstract contract Ownable is Context {
  address private _owner;
  error OwnableUnauthorizedAccount(address account);
  error OwnableInvalidOwner(address owner);
  event OwnershipTransferred(address indexed previousOwner, address indexed newOwner);
  constructor(address initialOwner) { _owner = initialOwner; }
  modifier onlyOwner() { require(_owner == msg.sender); _; }
  function owner() public view virtual returns (address) { return _owner; }
  function isOwner() public view returns (bool) { return msg.sender == _owner; }
  function _checkOwner() internal view virtual { require(_owner == msg.sender); }
  function renounceOwnership() public virtual { require(_owner == msg.sender); _owner = address(0); }
  function transferOwnership(address newOwner) public virtual { require(_owner == msg.sender); require(newOwner != address(0)); _transferOwnership(newOwner); }
  function _transferOwnership(address newOwner) internal virtual { emit OwnershipTransferred(_owner, newOwner); _owner = newOwner; }
  function _setOwner(address newOwner) internal { _owner = newOwner; }
}`,
  ),
  stub(
    'Ownable2Step',
    `import "Ownable";
abstract contract Ownable2Step is Ownable {
  address private _pendingOwner;
  event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner);
  function pendingOwner() public view virtual returns (address) { return _pendingOwner; }
  function transferOwnership(address newOwner) public virtual override { require(owner() == msg.sender); _pendingOwner = newOwner; }
  function _transferOwnership(address newOwner) internal virtual override { delete _pendingOwner; super._transferOwnership(newOwner); }
  function acceptOwnership() public virtual { require(_pendingOwner == msg.sender); _transferOwnership(msg.sender); }
}`,
  ),
  stub(
    'AccessControl',
    `import "Context"; import "IAccessControl"; import "ERC165";
abstract contract AccessControl is Context, IAccessControl, ERC165 {
  struct RoleData { mapping(address => bool) members; bytes32 adminRole; }
  mapping(bytes32 => RoleData) private _roles;
  bytes32 public constant DEFAULT_ADMIN_ROLE = 0x00;
  modifier onlyRole(bytes32 role) { require(_roles[role].members[msg.sender]); _; }
  function hasRole(bytes32 role, address account) public view virtual returns (bool) { return _roles[role].members[account]; }
  function _checkRole(bytes32 role) internal view virtual { require(_roles[role].members[msg.sender]); }
  function _checkRole(bytes32 role, address account) internal view virtual { require(_roles[role].members[account]); }
  function getRoleAdmin(bytes32 role) public view virtual returns (bytes32) { return _roles[role].adminRole; }
  function getRoleMember(bytes32 role, uint256 index) public view virtual returns (address);
  function getRoleMemberCount(bytes32 role) public view virtual returns (uint256);
  function grantRole(bytes32 role, address account) public virtual { require(_roles[_roles[role].adminRole].members[msg.sender]); _roles[role].members[account] = true; }
  function revokeRole(bytes32 role, address account) public virtual { require(_roles[_roles[role].adminRole].members[msg.sender]); _roles[role].members[account] = false; }
  function renounceRole(bytes32 role, address account) public virtual { require(account == msg.sender); _roles[role].members[account] = false; }
  function _setupRole(bytes32 role, address account) internal virtual { _roles[role].members[account] = true; }
  function _setRoleAdmin(bytes32 role, bytes32 adminRole) internal virtual { _roles[role].adminRole = adminRole; }
  function _grantRole(bytes32 role, address account) internal virtual returns (bool) { _roles[role].members[account] = true; return true; }
  function _revokeRole(bytes32 role, address account) internal virtual returns (bool) { _roles[role].members[account] = false; return true; }
}`,
  ),
  stub(
    'AccessControlEnumerable',
    `import "AccessControl";
abstract contract AccessControlEnumerable is AccessControl { }`,
  ),
  stub(
    'ReentrancyGuard',
    `
abstract contract ReentrancyGuard {
  uint256 private _status = 1;
  error ReentrancyGuardReentrantCall();
  modifier nonReentrant() { require(_status != 2); _status = 2; _; _status = 1; }
  modifier nonReentrantView() { require(_status != 2); _; }
  function _reentrancyGuardEntered() internal view returns (bool) { return _status == 2; }
}`,
  ),
  stub(
    'ReentrancyGuardTransient',
    `
abstract contract ReentrancyGuardTransient {
  bool private transient _entered;
  error ReentrancyGuardReentrantCall();
  modifier nonReentrant() { require(!_entered); _entered = true; _; _entered = false; }
  modifier nonReentrantView() { require(!_entered); _; }
  function _reentrancyGuardEntered() internal view returns (bool) { return _entered; }
}`,
  ),
  stub(
    'Pausable',
    `import "Context";
abstract contract Pausable is Context {
  bool private _paused;
  error EnforcedPause();
  error ExpectedPause();
  event Paused(address account);
  event Unpaused(address account);
  modifier whenNotPaused() { require(!_paused); _; }
  modifier whenPaused() { require(_paused); _; }
  function paused() public view virtual returns (bool) { return _paused; }
  function _requireNotPaused() internal view virtual { require(!_paused); }
  function _requirePaused() internal view virtual { require(_paused); }
  function _pause() internal virtual whenNotPaused { _paused = true; emit Paused(msg.sender); }
  function _unpause() internal virtual whenPaused { _paused = false; emit Unpaused(msg.sender); }
}`,
  ),
  stub(
    'ERC165',
    `import "IERC165";
abstract contract ERC165 is IERC165 {
  function supportsInterface(bytes4 interfaceId) public view virtual returns (bool) { return interfaceId == 0x01ffc9a7; }
  function _registerInterface(bytes4 interfaceId) internal virtual { }
}`,
  ),
  stub(
    'ERC20',
    `import "Context"; import "IERC20";
contract ERC20 is Context, IERC20, IERC20Metadata {
  mapping(address => uint256) private _balances;
  mapping(address => mapping(address => uint256)) private _allowances;
  uint256 private _totalSupply;
  string private _name;
  string private _symbol;
  constructor(string memory name_, string memory symbol_) { _name = name_; _symbol = symbol_; }
  function name() public view virtual returns (string memory) { return _name; }
  function symbol() public view virtual returns (string memory) { return _symbol; }
  function decimals() public view virtual returns (uint8) { return 18; }
  function totalSupply() public view virtual override returns (uint256) { return _totalSupply; }
  function balanceOf(address account) public view virtual override returns (uint256) { return _balances[account]; }
  function allowance(address owner, address spender) public view virtual override returns (uint256) { return _allowances[owner][spender]; }
  function transfer(address to, uint256 value) public virtual override returns (bool) { _transfer(msg.sender, to, value); return true; }
  function approve(address spender, uint256 value) public virtual override returns (bool) { _approve(msg.sender, spender, value); return true; }
  function transferFrom(address from, address to, uint256 value) public virtual override returns (bool) { _spendAllowance(from, msg.sender, value); _transfer(from, to, value); return true; }
  function increaseAllowance(address spender, uint256 addedValue) public virtual returns (bool) { _allowances[msg.sender][spender] += addedValue; return true; }
  function decreaseAllowance(address spender, uint256 subtractedValue) public virtual returns (bool) { _allowances[msg.sender][spender] -= subtractedValue; return true; }
  function _transfer(address from, address to, uint256 value) internal virtual { require(from != address(0) && to != address(0)); _beforeTokenTransfer(from, to, value); _balances[from] -= value; _balances[to] += value; emit Transfer(from, to, value); _afterTokenTransfer(from, to, value); }
  function _update(address from, address to, uint256 value) internal virtual { _balances[from] -= value; _balances[to] += value; emit Transfer(from, to, value); }
  function _mint(address account, uint256 value) internal virtual { require(account != address(0)); _beforeTokenTransfer(address(0), account, value); _totalSupply += value; _balances[account] += value; emit Transfer(address(0), account, value); }
  function _burn(address account, uint256 value) internal virtual { require(account != address(0)); _beforeTokenTransfer(account, address(0), value); _balances[account] -= value; _totalSupply -= value; emit Transfer(account, address(0), value); }
  function _burnFrom(address account, uint256 value) internal virtual { _spendAllowance(account, msg.sender, value); _burn(account, value); }
  function _approve(address owner, address spender, uint256 value) internal virtual { require(owner != address(0) && spender != address(0)); _allowances[owner][spender] = value; emit Approval(owner, spender, value); }
  function _approve(address owner, address spender, uint256 value, bool emitEvent) internal virtual { _allowances[owner][spender] = value; }
  function _spendAllowance(address owner, address spender, uint256 value) internal virtual { require(_allowances[owner][spender] >= value); _allowances[owner][spender] -= value; }
  function _setupDecimals(uint8 decimals_) internal virtual { }
  function _beforeTokenTransfer(address from, address to, uint256 amount) internal virtual { }
  function _afterTokenTransfer(address from, address to, uint256 amount) internal virtual { }
}`,
  ),
  stub(
    'ERC20Burnable',
    `import "ERC20";
abstract contract ERC20Burnable is ERC20 {
  function burn(uint256 value) public virtual { _burn(msg.sender, value); }
  function burnFrom(address account, uint256 value) public virtual { _burnFrom(account, value); }
}`,
  ),
  stub(
    'ERC20Capped',
    `import "ERC20";
abstract contract ERC20Capped is ERC20 {
  uint256 private _cap;
  constructor(uint256 cap_) { _cap = cap_; }
  function cap() public view virtual returns (uint256) { return _cap; }
}`,
  ),
  stub(
    'ERC20Pausable',
    `import "ERC20"; import "Pausable";
abstract contract ERC20Pausable is ERC20, Pausable { }`,
  ),
  stub(
    'ERC20Permit',
    `import "ERC20"; import "EIP712";
abstract contract ERC20Permit is ERC20, EIP712 {
  mapping(address => uint256) private _nonces;
  constructor(string memory name) { }
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) public virtual { require(block.timestamp <= deadline); _approve(owner, spender, value); }
  function nonces(address owner) public view virtual returns (uint256) { return _nonces[owner]; }
  function DOMAIN_SEPARATOR() external view virtual returns (bytes32) { return _domainSeparatorV4(); }
  function _useNonce(address owner) internal virtual returns (uint256) { return _nonces[owner]++; }
}`,
  ),
  stub(
    'ERC20Votes',
    `import "ERC20Permit";
abstract contract ERC20Votes is ERC20Permit {
  function getVotes(address account) public view virtual returns (uint256);
  function getPastVotes(address account, uint256 timepoint) public view virtual returns (uint256);
  function getPriorVotes(address account, uint256 blockNumber) public view virtual returns (uint256);
  function delegates(address account) public view virtual returns (address);
  function delegate(address delegatee) public virtual { }
  function _delegate(address delegator, address delegatee) internal virtual { }
}`,
  ),
  stub(
    'ERC20Snapshot',
    `import "ERC20";
abstract contract ERC20Snapshot is ERC20 {
  function _snapshot() internal virtual returns (uint256) { }
  function balanceOfAt(address account, uint256 snapshotId) public view virtual returns (uint256);
  function totalSupplyAt(uint256 snapshotId) public view virtual returns (uint256);
}`,
  ),
  stub(
    'ERC721',
    `import "Context"; import "ERC165"; import "IERC721";
contract ERC721 is Context, ERC165, IERC721, IERC721Metadata {
  string private _name;
  string private _symbol;
  mapping(uint256 => address) private _owners;
  mapping(address => uint256) private _balances;
  mapping(uint256 => address) private _tokenApprovals;
  mapping(address => mapping(address => bool)) private _operatorApprovals;
  constructor(string memory name_, string memory symbol_) { _name = name_; _symbol = symbol_; }
  function name() public view virtual returns (string memory) { return _name; }
  function symbol() public view virtual returns (string memory) { return _symbol; }
  function tokenURI(uint256 tokenId) public view virtual returns (string memory) { return ""; }
  function _baseURI() internal view virtual returns (string memory) { return ""; }
  function baseURI() public view virtual returns (string memory) { return ""; }
  function balanceOf(address owner) public view virtual override returns (uint256) { return _balances[owner]; }
  function ownerOf(uint256 tokenId) public view virtual override returns (address) { require(_owners[tokenId] != address(0)); return _owners[tokenId]; }
  function approve(address to, uint256 tokenId) public virtual override { require(msg.sender == _owners[tokenId] || _operatorApprovals[_owners[tokenId]][msg.sender]); _tokenApprovals[tokenId] = to; }
  function getApproved(uint256 tokenId) public view virtual override returns (address) { return _tokenApprovals[tokenId]; }
  function setApprovalForAll(address operator, bool approved) public virtual override { _operatorApprovals[msg.sender][operator] = approved; }
  function isApprovedForAll(address owner, address operator) public view virtual override returns (bool) { return _operatorApprovals[owner][operator]; }
  function transferFrom(address from, address to, uint256 tokenId) public virtual override { require(_isApprovedOrOwner(msg.sender, tokenId)); _transfer(from, to, tokenId); }
  function safeTransferFrom(address from, address to, uint256 tokenId) public virtual override { transferFrom(from, to, tokenId); _checkReceiver(from, to, tokenId, ""); }
  function safeTransferFrom(address from, address to, uint256 tokenId, bytes memory data) public virtual override { transferFrom(from, to, tokenId); _checkReceiver(from, to, tokenId, data); }
  function _checkReceiver(address from, address to, uint256 tokenId, bytes memory data) private { require(IERC721Receiver(to).onERC721Received(msg.sender, from, tokenId, data) == 0x150b7a02); }
  function _exists(uint256 tokenId) internal view virtual returns (bool) { return _owners[tokenId] != address(0); }
  function _ownerOf(uint256 tokenId) internal view virtual returns (address) { return _owners[tokenId]; }
  function _requireOwned(uint256 tokenId) internal view returns (address) { require(_owners[tokenId] != address(0)); return _owners[tokenId]; }
  function _requireMinted(uint256 tokenId) internal view virtual { require(_owners[tokenId] != address(0)); }
  function _isApprovedOrOwner(address spender, uint256 tokenId) internal view virtual returns (bool) { address owner = _owners[tokenId]; return spender == owner || _operatorApprovals[owner][spender] || _tokenApprovals[tokenId] == spender; }
  function _isAuthorized(address owner, address spender, uint256 tokenId) internal view virtual returns (bool) { return spender == owner || _operatorApprovals[owner][spender] || _tokenApprovals[tokenId] == spender; }
  function _checkAuthorized(address owner, address spender, uint256 tokenId) internal view virtual { require(_isAuthorized(owner, spender, tokenId)); }
  function _safeMint(address to, uint256 tokenId) internal virtual { _mint(to, tokenId); _checkReceiver(address(0), to, tokenId, ""); }
  function _safeMint(address to, uint256 tokenId, bytes memory data) internal virtual { _mint(to, tokenId); _checkReceiver(address(0), to, tokenId, data); }
  function _safeTransfer(address from, address to, uint256 tokenId, bytes memory data) internal virtual { _transfer(from, to, tokenId); _checkReceiver(from, to, tokenId, data); }
  function _mint(address to, uint256 tokenId) internal virtual { require(to != address(0) && _owners[tokenId] == address(0)); _beforeTokenTransfer(address(0), to, tokenId); _balances[to] += 1; _owners[tokenId] = to; emit Transfer(address(0), to, tokenId); }
  function _burn(uint256 tokenId) internal virtual { _beforeTokenTransfer(_owners[tokenId], address(0), tokenId); _balances[_owners[tokenId]] -= 1; delete _owners[tokenId]; }
  function _transfer(address from, address to, uint256 tokenId) internal virtual { require(_owners[tokenId] == from && to != address(0)); _beforeTokenTransfer(from, to, tokenId); _balances[from] -= 1; _balances[to] += 1; _owners[tokenId] = to; emit Transfer(from, to, tokenId); }
  function _update(address to, uint256 tokenId, address auth) internal virtual returns (address) { address from = _owners[tokenId]; _owners[tokenId] = to; return from; }
  function _approve(address to, uint256 tokenId) internal virtual { _tokenApprovals[tokenId] = to; }
  function _setApprovalForAll(address owner, address operator, bool approved) internal virtual { _operatorApprovals[owner][operator] = approved; }
  function _setTokenURI(uint256 tokenId, string memory uri) internal virtual { }
  function _setBaseURI(string memory uri) internal virtual { }
  function _beforeTokenTransfer(address from, address to, uint256 tokenId) internal virtual { }
  function _beforeTokenTransfer(address from, address to, uint256 tokenId, uint256 batchSize) internal virtual { }
  function _afterTokenTransfer(address from, address to, uint256 tokenId) internal virtual { }
}`,
  ),
  stub(
    'ERC721Enumerable',
    `import "ERC721"; import "IERC721";
abstract contract ERC721Enumerable is ERC721 {
  uint256[] private _allTokens;
  function totalSupply() public view virtual returns (uint256) { return _allTokens.length; }
  function tokenByIndex(uint256 index) public view virtual returns (uint256) { return _allTokens[index]; }
  function tokenOfOwnerByIndex(address owner, uint256 index) public view virtual returns (uint256);
  function _beforeTokenTransfer(address from, address to, uint256 tokenId) internal virtual override {
    super._beforeTokenTransfer(from, to, tokenId);
    if (from == address(0)) _allTokens.push(tokenId);
    else if (to == address(0)) _allTokens.pop();
  }
}`,
  ),
  stub(
    'ERC721URIStorage',
    `import "ERC721";
abstract contract ERC721URIStorage is ERC721 { }`,
  ),
  stub(
    'ERC721Burnable',
    `import "ERC721";
abstract contract ERC721Burnable is ERC721 {
  function burn(uint256 tokenId) public virtual { require(_isApprovedOrOwner(msg.sender, tokenId)); _burn(tokenId); }
}`,
  ),
  stub(
    'ERC721Pausable',
    `import "ERC721"; import "Pausable";
abstract contract ERC721Pausable is ERC721, Pausable { }`,
  ),
  stub(
    'ERC721Holder',
    `import "IERC721";
abstract contract ERC721Holder is IERC721Receiver {
  function onERC721Received(address, address, uint256, bytes memory) public virtual returns (bytes4) { return 0x150b7a02; }
}`,
  ),
  stub(
    'ERC1155',
    `import "Context"; import "ERC165"; import "IERC1155";
contract ERC1155 is Context, ERC165, IERC1155 {
  mapping(uint256 => mapping(address => uint256)) private _balances;
  mapping(address => mapping(address => bool)) private _operatorApprovals;
  string private _uri;
  constructor(string memory uri_) { _uri = uri_; }
  function uri(uint256) public view virtual returns (string memory) { return _uri; }
  function balanceOf(address account, uint256 id) public view virtual returns (uint256) { return _balances[id][account]; }
  function balanceOfBatch(address[] memory accounts, uint256[] memory ids) public view virtual returns (uint256[] memory);
  function setApprovalForAll(address operator, bool approved) public virtual { _operatorApprovals[msg.sender][operator] = approved; }
  function isApprovedForAll(address account, address operator) public view virtual returns (bool) { return _operatorApprovals[account][operator]; }
  function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes memory data) public virtual { require(from == msg.sender || _operatorApprovals[from][msg.sender]); _balances[id][from] -= value; _balances[id][to] += value; _checkReceiver(from, to, id, value, data); }
  function safeBatchTransferFrom(address from, address to, uint256[] memory ids, uint256[] memory values, bytes memory data) public virtual { require(from == msg.sender || _operatorApprovals[from][msg.sender]); }
  function _checkReceiver(address from, address to, uint256 id, uint256 value, bytes memory data) private { require(IERC1155Receiver(to).onERC1155Received(msg.sender, from, id, value, data) == 0xf23a6e61); }
  function _setURI(string memory newuri) internal virtual { _uri = newuri; }
  function _mint(address to, uint256 id, uint256 value, bytes memory data) internal virtual { require(to != address(0)); _balances[id][to] += value; _checkReceiver(address(0), to, id, value, data); }
  function _mintBatch(address to, uint256[] memory ids, uint256[] memory values, bytes memory data) internal virtual { }
  function _burn(address from, uint256 id, uint256 value) internal virtual { _balances[id][from] -= value; }
  function _burnBatch(address from, uint256[] memory ids, uint256[] memory values) internal virtual { }
  function _setApprovalForAll(address owner, address operator, bool approved) internal virtual { _operatorApprovals[owner][operator] = approved; }
  function _safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes memory data) internal virtual { _balances[id][from] -= value; _balances[id][to] += value; _checkReceiver(from, to, id, value, data); }
  function _beforeTokenTransfer(address operator, address from, address to, uint256[] memory ids, uint256[] memory amounts, bytes memory data) internal virtual { }
}`,
  ),
  stub(
    'ERC1155Supply',
    `import "ERC1155";
abstract contract ERC1155Supply is ERC1155 {
  mapping(uint256 => uint256) private _totalSupply;
  function totalSupply(uint256 id) public view virtual returns (uint256) { return _totalSupply[id]; }
  function exists(uint256 id) public view virtual returns (bool) { return _totalSupply[id] > 0; }
}`,
  ),
  stub(
    'ERC1155Burnable',
    `import "ERC1155";
abstract contract ERC1155Burnable is ERC1155 {
  function burn(address account, uint256 id, uint256 value) public virtual { require(account == msg.sender || isApprovedForAll(account, msg.sender)); _burn(account, id, value); }
}`,
  ),
  stub(
    'ERC1155Holder',
    `import "IERC1155"; import "ERC165";
abstract contract ERC1155Holder is ERC165, IERC1155Receiver {
  function onERC1155Received(address, address, uint256, uint256, bytes memory) public virtual returns (bytes4) { return 0xf23a6e61; }
  function onERC1155BatchReceived(address, address, uint256[] memory, uint256[] memory, bytes memory) public virtual returns (bytes4) { return 0xbc197c81; }
}`,
  ),
  stub(
    'ERC1155Receiver',
    `import "IERC1155"; import "ERC165";
abstract contract ERC1155Receiver is ERC165, IERC1155Receiver { }`,
  ),
  stub(
    'ERC2981',
    `import "ERC165";
abstract contract ERC2981 is ERC165 {
  function royaltyInfo(uint256 tokenId, uint256 salePrice) public view virtual returns (address, uint256);
  function _setDefaultRoyalty(address receiver, uint96 feeNumerator) internal virtual { }
  function _setTokenRoyalty(uint256 tokenId, address receiver, uint96 feeNumerator) internal virtual { }
}`,
  ),
  stub(
    'ERC4626',
    `import "ERC20"; import "IERC4626";
abstract contract ERC4626 is ERC20, IERC4626 {
  IERC20 private immutable _asset;
  constructor(IERC20 asset_) { _asset = asset_; }
  function asset() public view virtual returns (address) { return address(_asset); }
  function totalAssets() public view virtual returns (uint256) { return _asset.balanceOf(address(this)); }
  function convertToShares(uint256 assets) public view virtual returns (uint256);
  function convertToAssets(uint256 shares) public view virtual returns (uint256);
  function _deposit(address caller, address receiver, uint256 assets, uint256 shares) internal virtual { require(_asset.transferFrom(caller, address(this), assets)); _mint(receiver, shares); }
  function _withdraw(address caller, address receiver, address owner, uint256 assets, uint256 shares) internal virtual { if (caller != owner) { _spendAllowance(owner, caller, shares); } _burn(owner, shares); require(_asset.transfer(receiver, assets)); }
  function deposit(uint256 assets, address receiver) public virtual returns (uint256) { uint256 shares = convertToShares(assets); _deposit(msg.sender, receiver, assets, shares); return shares; }
  function mint(uint256 shares, address receiver) public virtual returns (uint256) { uint256 assets = convertToAssets(shares); _deposit(msg.sender, receiver, assets, shares); return assets; }
  function withdraw(uint256 assets, address receiver, address owner) public virtual returns (uint256) { uint256 shares = convertToShares(assets); _withdraw(msg.sender, receiver, owner, assets, shares); return shares; }
  function redeem(uint256 shares, address receiver, address owner) public virtual returns (uint256) { uint256 assets = convertToAssets(shares); _withdraw(msg.sender, receiver, owner, assets, shares); return assets; }
  function _convertToShares(uint256 assets) internal view virtual returns (uint256);
  function _convertToAssets(uint256 shares) internal view virtual returns (uint256);
  function _decimalsOffset() internal view virtual returns (uint8) { return 0; }
}`,
  ),
  stub(
    'EIP712',
    `
abstract contract EIP712 {
  constructor(string memory name, string memory version) { }
  function _domainSeparatorV4() internal view returns (bytes32) { return keccak256(abi.encode(block.chainid, address(this))); }
  function _hashTypedDataV4(bytes32 structHash) internal view virtual returns (bytes32) { return keccak256(abi.encode(_domainSeparatorV4(), structHash)); }
}`,
  ),
  stub(
    'Nonces',
    `
abstract contract Nonces {
  mapping(address => uint256) private _nonces;
  function nonces(address owner) public view virtual returns (uint256) { return _nonces[owner]; }
  function _useNonce(address owner) internal virtual returns (uint256) { return _nonces[owner]++; }
  function _useCheckedNonce(address owner, uint256 nonce) internal virtual { require(nonce == _nonces[owner]++); }
}`,
  ),
  stub(
    'Multicall',
    `
abstract contract Multicall {
  function multicall(bytes[] calldata data) external virtual returns (bytes[] memory results) {
    for (uint256 i = 0; i < data.length; i++) { (bool ok, bytes memory result) = address(this).delegatecall(data[i]); require(ok); results[i] = result; }
  }
}`,
  ),
  stub(
    'PaymentSplitter',
    `import "Context";
contract PaymentSplitter is Context {
  constructor(address[] memory payees, uint256[] memory shares_) { }
  function totalShares() public view returns (uint256);
  function shares(address account) public view returns (uint256);
  function release(address payable account) public virtual { }
}`,
  ),
  stub(
    'PullPayment',
    `
abstract contract PullPayment {
  mapping(address => uint256) private _deposits;
  function withdrawPayments(address payable payee) public virtual { uint256 payment = _deposits[payee]; _deposits[payee] = 0; payee.transfer(payment); }
  function payments(address dest) public view returns (uint256) { return _deposits[dest]; }
  function _asyncTransfer(address dest, uint256 amount) internal virtual { _deposits[dest] += amount; }
  function asyncSend(address dest, uint256 amount) internal { _deposits[dest] += amount; }
}`,
  ),
  stub(
    'UUPSUpgradeable',
    `import "Initializable";
abstract contract UUPSUpgradeable is Initializable {
  modifier onlyProxy() { _; }
  modifier notDelegated() { _; }
  function __UUPSUpgradeable_init() internal { }
  function proxiableUUID() external view virtual returns (bytes32) { return 0; }
  function upgradeTo(address newImplementation) public virtual { _authorizeUpgrade(newImplementation); }
  function upgradeToAndCall(address newImplementation, bytes memory data) public payable virtual { _authorizeUpgrade(newImplementation); }
  function _authorizeUpgrade(address newImplementation) internal virtual;
}`,
  ),
  stub(
    'AccessManaged',
    `import "Context";
abstract contract AccessManaged is Context {
  address private _authority;
  constructor(address initialAuthority) { _authority = initialAuthority; }
  modifier restricted() { _checkCanCall(msg.sender, msg.data); _; }
  function authority() public view virtual returns (address) { return _authority; }
  function setAuthority(address newAuthority) public virtual { require(msg.sender == _authority); _authority = newAuthority; }
  function _checkCanCall(address caller, bytes calldata data) internal virtual { require(caller == _authority); }
}`,
  ),
]

/** Libraries and interfaces: one text, also served under the `…Upgradeable` name of versions 3 and 4. */
const shared: readonly Stub[] = [
  stub(
    'SafeMath',
    `
library SafeMath {
  function add(uint256 a, uint256 b) internal pure returns (uint256) { return a + b; }
  function sub(uint256 a, uint256 b) internal pure returns (uint256) { return a - b; }
  function sub(uint256 a, uint256 b, string memory errorMessage) internal pure returns (uint256) { return a - b; }
  function mul(uint256 a, uint256 b) internal pure returns (uint256) { return a * b; }
  function div(uint256 a, uint256 b) internal pure returns (uint256) { return a / b; }
  function div(uint256 a, uint256 b, string memory errorMessage) internal pure returns (uint256) { return a / b; }
  function mod(uint256 a, uint256 b) internal pure returns (uint256) { return a % b; }
  function mod(uint256 a, uint256 b, string memory errorMessage) internal pure returns (uint256) { return a % b; }
  function tryAdd(uint256 a, uint256 b) internal pure returns (bool, uint256) { unchecked { uint256 c = a + b; if (c < a) return (false, 0); return (true, c); } }
  function trySub(uint256 a, uint256 b) internal pure returns (bool, uint256) { if (b > a) return (false, 0); return (true, a - b); }
  function tryMul(uint256 a, uint256 b) internal pure returns (bool, uint256) { unchecked { if (a == 0) return (true, 0); uint256 c = a * b; if (c / a != b) return (false, 0); return (true, c); } }
  function tryDiv(uint256 a, uint256 b) internal pure returns (bool, uint256) { if (b == 0) return (false, 0); return (true, a / b); }
  function tryMod(uint256 a, uint256 b) internal pure returns (bool, uint256) { if (b == 0) return (false, 0); return (true, a % b); }
}`,
  ),
  stub(
    'SignedSafeMath',
    `
library SignedSafeMath {
  function add(int256 a, int256 b) internal pure returns (int256) { return a + b; }
  function sub(int256 a, int256 b) internal pure returns (int256) { return a - b; }
  function mul(int256 a, int256 b) internal pure returns (int256) { return a * b; }
  function div(int256 a, int256 b) internal pure returns (int256) { return a / b; }
}`,
  ),
  stub(
    'SafeCast',
    `
library SafeCast {
${[248, 224, 208, 192, 176, 168, 160, 144, 128, 120, 112, 104, 96, 88, 80, 72, 64, 56, 48, 40, 32, 24, 16, 8]
  .map(
    (bits) =>
      `  function toUint${bits}(uint256 value) internal pure returns (uint${bits}) { require(value <= type(uint${bits}).max); return uint${bits}(value); }
  function toInt${bits}(int256 value) internal pure returns (int${bits}) { require(value <= type(int${bits}).max && value >= type(int${bits}).min); return int${bits}(value); }`,
  )
  .join('\n')}
  function toUint256(int256 value) internal pure returns (uint256) { require(value >= 0); return uint256(value); }
  function toInt256(uint256 value) internal pure returns (int256) { require(value <= uint256(type(int256).max)); return int256(value); }
}`,
  ),
  stub(
    'Math',
    `
library Math {
  enum Rounding { Floor, Ceil, Trunc, Expand, Down, Up, Zero }
  function max(uint256 a, uint256 b) internal pure returns (uint256) { return a > b ? a : b; }
  function min(uint256 a, uint256 b) internal pure returns (uint256) { return a < b ? a : b; }
  function average(uint256 a, uint256 b) internal pure returns (uint256) { return (a & b) + (a ^ b) / 2; }
  function ceilDiv(uint256 a, uint256 b) internal pure returns (uint256) { return a == 0 ? 0 : (a - 1) / b + 1; }
  function mulDiv(uint256 x, uint256 y, uint256 denominator) internal pure returns (uint256) { return x * y / denominator; }
  function mulDiv(uint256 x, uint256 y, uint256 denominator, Rounding rounding) internal pure returns (uint256) { return uint8(rounding) % 2 == 1 ? (x * y + denominator - 1) / denominator : x * y / denominator; }
  function sqrt(uint256 a) internal pure returns (uint256);
  function sqrt(uint256 a, Rounding rounding) internal pure returns (uint256);
  function log2(uint256 value) internal pure returns (uint256);
  function log10(uint256 value) internal pure returns (uint256);
  function log256(uint256 value) internal pure returns (uint256);
  function tryAdd(uint256 a, uint256 b) internal pure returns (bool, uint256);
  function trySub(uint256 a, uint256 b) internal pure returns (bool, uint256);
  function tryMul(uint256 a, uint256 b) internal pure returns (bool, uint256);
}`,
  ),
  stub(
    'SignedMath',
    `
library SignedMath {
  function max(int256 a, int256 b) internal pure returns (int256) { return a > b ? a : b; }
  function min(int256 a, int256 b) internal pure returns (int256) { return a < b ? a : b; }
  function average(int256 a, int256 b) internal pure returns (int256);
  function abs(int256 n) internal pure returns (uint256) { return uint256(n >= 0 ? n : -n); }
}`,
  ),
  stub(
    'Address',
    `
library Address {
  function isContract(address account) internal view returns (bool) { return account.code.length > 0; }
  function toPayable(address account) internal pure returns (address payable) { return payable(account); }
  function sendValue(address payable recipient, uint256 amount) internal { require(address(this).balance >= amount); (bool success, ) = recipient.call{value: amount}(""); require(success); }
  function functionCall(address target, bytes memory data) internal returns (bytes memory) { (bool success, bytes memory returndata) = target.call(data); require(success); return returndata; }
  function functionCall(address target, bytes memory data, string memory errorMessage) internal returns (bytes memory) { (bool success, bytes memory returndata) = target.call(data); require(success); return returndata; }
  function functionCallWithValue(address target, bytes memory data, uint256 value) internal returns (bytes memory) { (bool success, bytes memory returndata) = target.call{value: value}(data); require(success); return returndata; }
  function functionCallWithValue(address target, bytes memory data, uint256 value, string memory errorMessage) internal returns (bytes memory) { (bool success, bytes memory returndata) = target.call{value: value}(data); require(success); return returndata; }
  function functionStaticCall(address target, bytes memory data) internal view returns (bytes memory) { (bool success, bytes memory returndata) = target.staticcall(data); require(success); return returndata; }
  function functionStaticCall(address target, bytes memory data, string memory errorMessage) internal view returns (bytes memory) { (bool success, bytes memory returndata) = target.staticcall(data); require(success); return returndata; }
  function functionDelegateCall(address target, bytes memory data) internal returns (bytes memory) { (bool success, bytes memory returndata) = target.delegatecall(data); require(success); return returndata; }
  function functionDelegateCall(address target, bytes memory data, string memory errorMessage) internal returns (bytes memory) { (bool success, bytes memory returndata) = target.delegatecall(data); require(success); return returndata; }
  function verifyCallResult(bool success, bytes memory returndata) internal pure returns (bytes memory) { require(success); return returndata; }
  function verifyCallResult(bool success, bytes memory returndata, string memory errorMessage) internal pure returns (bytes memory) { require(success); return returndata; }
  function verifyCallResultFromTarget(address target, bool success, bytes memory returndata) internal view returns (bytes memory) { require(success); return returndata; }
}`,
  ),
  stub(
    'SafeERC20',
    `import "IERC20";
library SafeERC20 {
  function safeTransfer(IERC20 token, address to, uint256 value) internal { require(token.transfer(to, value)); }
  function safeTransferFrom(IERC20 token, address from, address to, uint256 value) internal { require(token.transferFrom(from, to, value)); }
  function safeApprove(IERC20 token, address spender, uint256 value) internal { require(token.approve(spender, value)); }
  function safeIncreaseAllowance(IERC20 token, address spender, uint256 value) internal { require(token.approve(spender, token.allowance(address(this), spender) + value)); }
  function safeDecreaseAllowance(IERC20 token, address spender, uint256 value) internal { require(token.approve(spender, token.allowance(address(this), spender) - value)); }
  function forceApprove(IERC20 token, address spender, uint256 value) internal { require(token.approve(spender, value)); }
  function trySafeTransfer(IERC20 token, address to, uint256 value) internal returns (bool) { return token.transfer(to, value); }
  function trySafeTransferFrom(IERC20 token, address from, address to, uint256 value) internal returns (bool) { return token.transferFrom(from, to, value); }
  function safePermit(IERC20Permit token, address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) internal { token.permit(owner, spender, value, deadline, v, r, s); }
}`,
  ),
  stub(
    'ECDSA',
    `
library ECDSA {
  enum RecoverError { NoError, InvalidSignature, InvalidSignatureLength, InvalidSignatureS, InvalidSignatureV }
  function recover(bytes32 hash, bytes memory signature) internal pure returns (address signer) { require(signature.length == 65); (bytes32 r, bytes32 s, uint8 v) = abi.decode(signature, (bytes32, bytes32, uint8)); return recover(hash, v, r, s); }
  function recover(bytes32 hash, uint8 v, bytes32 r, bytes32 s) internal pure returns (address) { require(uint256(s) <= 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0); address signer = ecrecover(hash, v, r, s); require(signer != address(0)); return signer; }
  function recover(bytes32 hash, bytes32 r, bytes32 vs) internal pure returns (address) { require(uint256(r) > 0); address signer = ecrecover(hash, 27, r, vs); require(signer != address(0)); return signer; }
  function tryRecover(bytes32 hash, bytes memory signature) internal pure returns (address, RecoverError, bytes32);
  function tryRecover(bytes32 hash, uint8 v, bytes32 r, bytes32 s) internal pure returns (address, RecoverError, bytes32);
  function toEthSignedMessageHash(bytes32 hash) internal pure returns (bytes32) { return keccak256(abi.encodePacked("\\x19Ethereum Signed Message:\\n32", hash)); }
  function toEthSignedMessageHash(bytes memory s) internal pure returns (bytes32) { return keccak256(abi.encodePacked("\\x19Ethereum Signed Message:\\n", s)); }
  function toTypedDataHash(bytes32 domainSeparator, bytes32 structHash) internal pure returns (bytes32) { return keccak256(abi.encodePacked("\\x19\\x01", domainSeparator, structHash)); }
}`,
  ),
  stub(
    'MessageHashUtils',
    `
library MessageHashUtils {
  function toEthSignedMessageHash(bytes32 hash) internal pure returns (bytes32) { return keccak256(abi.encodePacked("\\x19Ethereum Signed Message:\\n32", hash)); }
  function toEthSignedMessageHash(bytes memory s) internal pure returns (bytes32) { return keccak256(abi.encodePacked("\\x19Ethereum Signed Message:\\n", s)); }
  function toTypedDataHash(bytes32 domainSeparator, bytes32 structHash) internal pure returns (bytes32) { return keccak256(abi.encodePacked("\\x19\\x01", domainSeparator, structHash)); }
}`,
  ),
  stub(
    'SignatureChecker',
    `
library SignatureChecker {
  function isValidSignatureNow(address signer, bytes32 hash, bytes memory signature) internal view returns (bool);
}`,
  ),
  stub(
    'MerkleProof',
    `
library MerkleProof {
  function verify(bytes32[] memory proof, bytes32 root, bytes32 leaf) internal pure returns (bool);
  function verifyCalldata(bytes32[] calldata proof, bytes32 root, bytes32 leaf) internal pure returns (bool);
  function processProof(bytes32[] memory proof, bytes32 leaf) internal pure returns (bytes32);
}`,
  ),
  stub(
    'Strings',
    `
library Strings {
  function toString(uint256 value) internal pure returns (string memory);
  function toHexString(uint256 value) internal pure returns (string memory);
  function toHexString(uint256 value, uint256 length) internal pure returns (string memory);
  function toHexString(address addr) internal pure returns (string memory);
  function equal(string memory a, string memory b) internal pure returns (bool);
}`,
  ),
  stub(
    'Counters',
    `
library Counters {
  struct Counter { uint256 _value; }
  function current(Counter storage counter) internal view returns (uint256) { return counter._value; }
  function increment(Counter storage counter) internal { counter._value += 1; }
  function decrement(Counter storage counter) internal { counter._value -= 1; }
  function reset(Counter storage counter) internal { counter._value = 0; }
}`,
  ),
  stub(
    'EnumerableSet',
    `
library EnumerableSet {
  struct Set { bytes32[] _values; mapping(bytes32 => uint256) _positions; }
  struct Bytes32Set { bytes32[] _values; mapping(bytes32 => uint256) _positions; }
  struct AddressSet { address[] _values; mapping(address => uint256) _positions; }
  struct UintSet { uint256[] _values; mapping(uint256 => uint256) _positions; }
${(
  [
    ['Bytes32Set', 'bytes32'],
    ['AddressSet', 'address'],
    ['UintSet', 'uint256'],
  ] as const
)
  .map(
    ([
      set,
      item,
    ]) => `  function add(${set} storage set, ${item} value) internal returns (bool) { if (set._positions[value] != 0) return false; set._values.push(value); set._positions[value] = set._values.length; return true; }
  function remove(${set} storage set, ${item} value) internal returns (bool) { if (set._positions[value] == 0) return false; set._values.pop(); delete set._positions[value]; return true; }
  function contains(${set} storage set, ${item} value) internal view returns (bool) { return set._positions[value] != 0; }
  function length(${set} storage set) internal view returns (uint256) { return set._values.length; }
  function at(${set} storage set, uint256 index) internal view returns (${item}) { return set._values[index]; }
  function get(${set} storage set, uint256 index) internal view returns (${item}) { return set._values[index]; }
  function values(${set} storage set) internal view returns (${item}[] memory) { return set._values; }`,
  )
  .join('\n')}
}`,
  ),
  stub(
    'EnumerableMap',
    `
library EnumerableMap {
  struct UintToAddressMap { mapping(uint256 => address) _values; uint256[] _keys; }
  struct AddressToUintMap { mapping(address => uint256) _values; address[] _keys; }
  struct UintToUintMap { mapping(uint256 => uint256) _values; uint256[] _keys; }
${(
  [
    ['UintToAddressMap', 'uint256', 'address'],
    ['AddressToUintMap', 'address', 'uint256'],
    ['UintToUintMap', 'uint256', 'uint256'],
  ] as const
)
  .map(
    ([
      map,
      key,
      value,
    ]) => `  function set(${map} storage map, ${key} key, ${value} value) internal returns (bool) { map._values[key] = value; map._keys.push(key); return true; }
  function remove(${map} storage map, ${key} key) internal returns (bool) { delete map._values[key]; map._keys.pop(); return true; }
  function contains(${map} storage map, ${key} key) internal view returns (bool);
  function length(${map} storage map) internal view returns (uint256) { return map._keys.length; }
  function at(${map} storage map, uint256 index) internal view returns (${key}, ${value}) { return (map._keys[index], map._values[map._keys[index]]); }
  function get(${map} storage map, ${key} key) internal view returns (${value}) { return map._values[key]; }`,
  )
  .join('\n')}
}`,
  ),
  stub(
    'Clones',
    `
library Clones {
  function clone(address implementation) internal returns (address instance);
  function cloneDeterministic(address implementation, bytes32 salt) internal returns (address instance);
  function predictDeterministicAddress(address implementation, bytes32 salt) internal view returns (address);
  function predictDeterministicAddress(address implementation, bytes32 salt, address deployer) internal pure returns (address);
}`,
  ),
  stub(
    'Create2',
    `
library Create2 {
  function deploy(uint256 amount, bytes32 salt, bytes memory bytecode) internal returns (address);
  function computeAddress(bytes32 salt, bytes32 bytecodeHash) internal view returns (address);
  function computeAddress(bytes32 salt, bytes32 bytecodeHash, address deployer) internal pure returns (address);
}`,
  ),
  stub(
    'StorageSlot',
    `
library StorageSlot {
  struct AddressSlot { address value; }
  struct BooleanSlot { bool value; }
  struct Bytes32Slot { bytes32 value; }
  struct Uint256Slot { uint256 value; }
  function getAddressSlot(bytes32 slot) internal pure returns (AddressSlot storage r) { assembly { r.slot := slot } }
  function getBooleanSlot(bytes32 slot) internal pure returns (BooleanSlot storage r) { assembly { r.slot := slot } }
  function getBytes32Slot(bytes32 slot) internal pure returns (Bytes32Slot storage r) { assembly { r.slot := slot } }
  function getUint256Slot(bytes32 slot) internal pure returns (Uint256Slot storage r) { assembly { r.slot := slot } }
}`,
  ),
  stub(
    'BitMaps',
    `
library BitMaps {
  struct BitMap { mapping(uint256 => uint256) _data; }
  function get(BitMap storage bitmap, uint256 index) internal view returns (bool) { return bitmap._data[index >> 8] & (1 << (index & 0xff)) != 0; }
  function set(BitMap storage bitmap, uint256 index) internal { bitmap._data[index >> 8] |= 1 << (index & 0xff); }
  function unset(BitMap storage bitmap, uint256 index) internal { bitmap._data[index >> 8] &= ~(1 << (index & 0xff)); }
}`,
  ),
  stub(
    'Roles',
    `
library Roles {
  struct Role { mapping(address => bool) bearer; }
  function add(Role storage role, address account) internal { require(!role.bearer[account]); role.bearer[account] = true; }
  function remove(Role storage role, address account) internal { require(role.bearer[account]); role.bearer[account] = false; }
  function has(Role storage role, address account) internal view returns (bool) { return role.bearer[account]; }
}`,
  ),
  stub(
    'ERC165Checker',
    `
library ERC165Checker {
  function supportsERC165(address account) internal view returns (bool);
  function supportsInterface(address account, bytes4 interfaceId) internal view returns (bool);
}`,
  ),
]

const alone: readonly Stub[] = [
  stub(
    'Initializable',
    `
abstract contract Initializable {
  uint64 private _initialized;
  bool private _initializing;
  error InvalidInitialization();
  error NotInitializing();
  event Initialized(uint64 version);
  modifier initializer() { require(_initialized < 1 && !_initializing); _initialized = 1; _initializing = true; _; _initializing = false; }
  modifier reinitializer(uint64 version) { require(_initialized < version && !_initializing); _initialized = version; _initializing = true; _; _initializing = false; }
  modifier onlyInitializing() { require(_initializing); _; }
  function _checkSetUp() internal { if (!_initializing) { require(_initialized < 1); _initialized = 1; } }
  function _disableInitializers() internal virtual { _initialized = type(uint64).max; }
  function _getInitializedVersion() internal view returns (uint64) { return _initialized; }
  function _isInitializing() internal view returns (bool) { return _initializing; }
}`,
  ),
  stub(
    'Proxy',
    `
abstract contract Proxy {
  function _implementation() internal view virtual returns (address);
  function _beforeFallback() internal virtual { }
  function _delegate(address implementation) internal virtual { (bool ok, ) = implementation.delegatecall(msg.data); require(ok); }
  function _fallback() internal virtual { _beforeFallback(); _delegate(_implementation()); }
  fallback() external payable virtual { _fallback(); }
}`,
  ),
  stub(
    'ERC1967Upgrade',
    `
abstract contract ERC1967Upgrade {
  bytes32 internal constant _IMPLEMENTATION_SLOT = 0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc;
  function _getImplementation() internal view returns (address);
  function _upgradeTo(address newImplementation) internal { }
  function _upgradeToAndCall(address newImplementation, bytes memory data, bool forceCall) internal { }
  function _getAdmin() internal view returns (address);
  function _changeAdmin(address newAdmin) internal { }
}`,
  ),
  stub(
    'ERC1967Proxy',
    `import "Proxy"; import "ERC1967Upgrade";
contract ERC1967Proxy is Proxy, ERC1967Upgrade {
  constructor(address implementation, bytes memory data) payable { }
  function _implementation() internal view virtual override returns (address) { return _getImplementation(); }
}`,
  ),
  stub(
    'TransparentUpgradeableProxy',
    `import "ERC1967Proxy";
contract TransparentUpgradeableProxy is ERC1967Proxy { constructor(address logic, address admin, bytes memory data) payable { } }`,
  ),
  stub(
    'ProxyAdmin',
    `import "Ownable";
contract ProxyAdmin is Ownable { }`,
  ),
  stub(
    'MinterRole',
    `import "Roles";
contract MinterRole {
  Roles.Role private _minters;
  modifier onlyMinter() { require(_minters.bearer[msg.sender]); _; }
  function isMinter(address account) public view returns (bool) { return _minters.bearer[account]; }
  function addMinter(address account) public { require(_minters.bearer[msg.sender]); _minters.bearer[account] = true; }
  function renounceMinter() public { _minters.bearer[msg.sender] = false; }
  function _addMinter(address account) internal { _minters.bearer[account] = true; }
  function _removeMinter(address account) internal { _minters.bearer[account] = false; }
}`,
  ),
  stub(
    'PauserRole',
    `import "Roles";
contract PauserRole {
  Roles.Role private _pausers;
  modifier onlyPauser() { require(_pausers.bearer[msg.sender]); _; }
  function isPauser(address account) public view returns (bool) { return _pausers.bearer[account]; }
  function addPauser(address account) public { require(_pausers.bearer[msg.sender]); _pausers.bearer[account] = true; }
  function _addPauser(address account) internal { _pausers.bearer[account] = true; }
}`,
  ),
  stub(
    'ERC20Detailed',
    `import "IERC20";
contract ERC20Detailed {
  string private _name;
  string private _symbol;
  uint8 private _decimals;
  constructor(string memory name_, string memory symbol_, uint8 decimals_) { _name = name_; _symbol = symbol_; _decimals = decimals_; }
  function name() public view returns (string memory) { return _name; }
  function symbol() public view returns (string memory) { return _symbol; }
  function decimals() public view returns (uint8) { return _decimals; }
}`,
  ),
  stub(
    'ERC20Mintable',
    `import "ERC20"; import "MinterRole";
contract ERC20Mintable is ERC20, MinterRole {
  function mint(address account, uint256 amount) public returns (bool) { require(isMinter(msg.sender)); _mint(account, amount); return true; }
}`,
  ),
  stub(
    'ERC20Basic',
    `
abstract contract ERC20Basic {
  event Transfer(address indexed from, address indexed to, uint256 value);
  function totalSupply() public view virtual returns (uint256);
  function balanceOf(address who) public view virtual returns (uint256);
  function transfer(address to, uint256 value) public virtual returns (bool);
}`,
  ),
  stub(
    'BasicToken',
    `import "ERC20Basic"; import "SafeMath";
abstract contract BasicToken is ERC20Basic {
  mapping(address => uint256) balances;
  uint256 totalSupply_;
  function totalSupply() public view virtual override returns (uint256) { return totalSupply_; }
  function balanceOf(address who) public view virtual override returns (uint256) { return balances[who]; }
  function transfer(address to, uint256 value) public virtual override returns (bool) { require(to != address(0)); balances[msg.sender] -= value; balances[to] += value; return true; }
}`,
  ),
  stub(
    'StandardToken',
    `import "BasicToken";
contract StandardToken is BasicToken {
  mapping(address => mapping(address => uint256)) internal allowed;
  event Approval(address indexed owner, address indexed spender, uint256 value);
  function allowance(address owner, address spender) public view virtual returns (uint256) { return allowed[owner][spender]; }
  function approve(address spender, uint256 value) public virtual returns (bool) { allowed[msg.sender][spender] = value; return true; }
  function transferFrom(address from, address to, uint256 value) public virtual returns (bool) { require(to != address(0)); balances[from] -= value; balances[to] += value; allowed[from][msg.sender] -= value; return true; }
  function increaseApproval(address spender, uint256 addedValue) public virtual returns (bool) { allowed[msg.sender][spender] += addedValue; return true; }
  function decreaseApproval(address spender, uint256 subtractedValue) public virtual returns (bool) { allowed[msg.sender][spender] -= subtractedValue; return true; }
}`,
  ),
  stub(
    'MintableToken',
    `import "StandardToken"; import "Ownable";
contract MintableToken is StandardToken, Ownable {
  bool public mintingFinished;
  modifier canMint() { require(!mintingFinished); _; }
  function mint(address to, uint256 amount) public virtual returns (bool) { require(owner() == msg.sender); totalSupply_ += amount; balances[to] += amount; return true; }
}`,
  ),
]

const knownOnlyAlone = new Set(['UUPSUpgradeable'])

export const openzeppelin: readonly Stub[] = [
  ...twinned,
  ...twinned.filter(({ name }) => !knownOnlyAlone.has(name)).map(upgradeable),
  ...shared,
  ...shared.map(upgradeable),
  ...alone,
]
