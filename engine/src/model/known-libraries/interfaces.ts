import { type Stub, stub } from './stub.ts'

const erc20 = (suffix: string) => `
interface IERC20${suffix} {
  event Transfer(address indexed from, address indexed to, uint256 value);
  event Approval(address indexed owner, address indexed spender, uint256 value);
  function totalSupply() external view returns (uint256);
  function balanceOf(address account) external view returns (uint256);
  function transfer(address to, uint256 value) external returns (bool);
  function allowance(address owner, address spender) external view returns (uint256);
  function approve(address spender, uint256 value) external returns (bool);
  function transferFrom(address from, address to, uint256 value) external returns (bool);
}
interface IERC20Metadata${suffix} is IERC20${suffix} {
  function name() external view returns (string memory);
  function symbol() external view returns (string memory);
  function decimals() external view returns (uint8);
}
interface IERC20Permit${suffix} {
  function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external;
  function nonces(address owner) external view returns (uint256);
  function DOMAIN_SEPARATOR() external view returns (bytes32);
}`

const erc721 = (suffix: string) => `
interface IERC721${suffix} {
  event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);
  event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId);
  event ApprovalForAll(address indexed owner, address indexed operator, bool approved);
  function balanceOf(address owner) external view returns (uint256 balance);
  function ownerOf(uint256 tokenId) external view returns (address owner);
  function safeTransferFrom(address from, address to, uint256 tokenId, bytes calldata data) external;
  function safeTransferFrom(address from, address to, uint256 tokenId) external;
  function transferFrom(address from, address to, uint256 tokenId) external;
  function approve(address to, uint256 tokenId) external;
  function setApprovalForAll(address operator, bool approved) external;
  function getApproved(uint256 tokenId) external view returns (address operator);
  function isApprovedForAll(address owner, address operator) external view returns (bool);
  function supportsInterface(bytes4 interfaceId) external view returns (bool);
}
interface IERC721Metadata${suffix} is IERC721${suffix} {
  function name() external view returns (string memory);
  function symbol() external view returns (string memory);
  function tokenURI(uint256 tokenId) external view returns (string memory);
}
interface IERC721Enumerable${suffix} is IERC721${suffix} {
  function totalSupply() external view returns (uint256);
  function tokenOfOwnerByIndex(address owner, uint256 index) external view returns (uint256);
  function tokenByIndex(uint256 index) external view returns (uint256);
}
interface IERC721Receiver${suffix} {
  function onERC721Received(address operator, address from, uint256 tokenId, bytes calldata data) external returns (bytes4);
}`

const erc1155 = (suffix: string) => `
interface IERC1155${suffix} {
  event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value);
  event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values);
  event ApprovalForAll(address indexed account, address indexed operator, bool approved);
  function balanceOf(address account, uint256 id) external view returns (uint256);
  function balanceOfBatch(address[] calldata accounts, uint256[] calldata ids) external view returns (uint256[] memory);
  function setApprovalForAll(address operator, bool approved) external;
  function isApprovedForAll(address account, address operator) external view returns (bool);
  function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external;
  function safeBatchTransferFrom(address from, address to, uint256[] calldata ids, uint256[] calldata values, bytes calldata data) external;
}
interface IERC1155Receiver${suffix} {
  function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes calldata data) external returns (bytes4);
  function onERC1155BatchReceived(address operator, address from, uint256[] calldata ids, uint256[] calldata values, bytes calldata data) external returns (bytes4);
}`

const erc165 = (suffix: string) => `
interface IERC165${suffix} { function supportsInterface(bytes4 interfaceId) external view returns (bool); }`

const erc4626 = (suffix: string) => `
interface IERC4626${suffix} {
  function asset() external view returns (address);
  function totalAssets() external view returns (uint256);
  function convertToShares(uint256 assets) external view returns (uint256);
  function convertToAssets(uint256 shares) external view returns (uint256);
  function maxDeposit(address receiver) external view returns (uint256);
  function previewDeposit(uint256 assets) external view returns (uint256);
  function deposit(uint256 assets, address receiver) external returns (uint256);
  function mint(uint256 shares, address receiver) external returns (uint256);
  function previewWithdraw(uint256 assets) external view returns (uint256);
  function withdraw(uint256 assets, address receiver, address owner) external returns (uint256);
  function previewRedeem(uint256 shares) external view returns (uint256);
  function redeem(uint256 shares, address receiver, address owner) external returns (uint256);
}`

const accessControl = (suffix: string) => `
interface IAccessControl${suffix} {
  error AccessControlUnauthorizedAccount(address account, bytes32 neededRole);
  event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
  event RoleRevoked(bytes32 indexed role, address indexed account, address indexed sender);
}`

const both = (names: readonly string[], text: (suffix: string) => string): Stub[] =>
  ['', 'Upgradeable'].flatMap((suffix) => names.map((name) => stub(name + suffix, text(suffix))))

export const tokenInterfaces: readonly Stub[] = [
  ...both(['IERC20', 'IERC20Metadata', 'IERC20Permit'], erc20),
  ...both(['IERC721', 'IERC721Metadata', 'IERC721Enumerable', 'IERC721Receiver'], erc721),
  ...both(['IERC1155', 'IERC1155Receiver'], erc1155),
  ...both(['IERC165'], erc165),
  ...both(['IERC4626'], erc4626),
  ...both(['IAccessControl'], accessControl),
  stub(
    'IWETH',
    `
interface IWETH {
  function deposit() external payable;
  function withdraw(uint256 wad) external;
  function transfer(address to, uint256 value) external returns (bool);
  function transferFrom(address from, address to, uint256 value) external returns (bool);
  function approve(address spender, uint256 value) external returns (bool);
  function balanceOf(address account) external view returns (uint256);
}`,
  ),
  stub(
    'IWETH9',
    `import "IERC20";
interface IWETH9 is IERC20 { function deposit() external payable; function withdraw(uint256 wad) external; }`,
  ),
  stub(
    'IERC1271',
    `
interface IERC1271 { function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4); }`,
  ),
  stub(
    'IERC2981',
    `
interface IERC2981 { function royaltyInfo(uint256 tokenId, uint256 salePrice) external view returns (address receiver, uint256 royaltyAmount); }`,
  ),
]

export const protocolInterfaces: readonly Stub[] = [
  stub(
    'AggregatorV3Interface',
    `
interface AggregatorV3Interface {
  function decimals() external view returns (uint8);
  function description() external view returns (string memory);
  function version() external view returns (uint256);
  function getRoundData(uint80 roundId) external view returns (uint80 roundId_, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
  function latestRoundData() external view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound);
}`,
  ),
  stub(
    'AggregatorInterface',
    `
interface AggregatorInterface {
  function latestAnswer() external view returns (int256);
  function latestTimestamp() external view returns (uint256);
  function latestRound() external view returns (uint256);
  function getAnswer(uint256 roundId) external view returns (int256);
  function getTimestamp(uint256 roundId) external view returns (uint256);
}`,
  ),
  stub(
    'AggregatorV2V3Interface',
    `import "AggregatorV3Interface"; import "AggregatorInterface";
interface AggregatorV2V3Interface is AggregatorInterface, AggregatorV3Interface { }`,
  ),
  stub(
    'LinkTokenInterface',
    `import "IERC20";
interface LinkTokenInterface is IERC20 { function transferAndCall(address to, uint256 value, bytes calldata data) external returns (bool); }`,
  ),
  stub(
    'VRFConsumerBase',
    `import "LinkTokenInterface";
abstract contract VRFConsumerBase {
  LinkTokenInterface internal immutable LINK;
  address private immutable vrfCoordinator;
  constructor(address coordinator, address link) { vrfCoordinator = coordinator; LINK = LinkTokenInterface(link); }
  function fulfillRandomness(bytes32 requestId, uint256 randomness) internal virtual;
  function requestRandomness(bytes32 keyHash, uint256 fee) internal returns (bytes32 requestId) { LINK.transferAndCall(vrfCoordinator, fee, abi.encode(keyHash)); }
  function rawFulfillRandomness(bytes32 requestId, uint256 randomness) external { require(msg.sender == vrfCoordinator); fulfillRandomness(requestId, randomness); }
}`,
  ),
  stub(
    'VRFConsumerBaseV2',
    `
abstract contract VRFConsumerBaseV2 {
  address private immutable vrfCoordinator;
  constructor(address coordinator) { vrfCoordinator = coordinator; }
  function fulfillRandomWords(uint256 requestId, uint256[] memory randomWords) internal virtual;
  function rawFulfillRandomWords(uint256 requestId, uint256[] memory randomWords) external { require(msg.sender == vrfCoordinator); fulfillRandomWords(requestId, randomWords); }
}`,
  ),
  stub(
    'VRFCoordinatorV2Interface',
    `
interface VRFCoordinatorV2Interface {
  function requestRandomWords(bytes32 keyHash, uint64 subId, uint16 minimumRequestConfirmations, uint32 callbackGasLimit, uint32 numWords) external returns (uint256 requestId);
}`,
  ),
  stub(
    'KeeperCompatibleInterface',
    `
interface KeeperCompatibleInterface {
  function checkUpkeep(bytes calldata checkData) external returns (bool upkeepNeeded, bytes memory performData);
  function performUpkeep(bytes calldata performData) external;
}`,
  ),
  stub(
    'IUniswapV2Factory',
    `
interface IUniswapV2Factory {
  function feeTo() external view returns (address);
  function feeToSetter() external view returns (address);
  function getPair(address tokenA, address tokenB) external view returns (address pair);
  function allPairs(uint256) external view returns (address pair);
  function allPairsLength() external view returns (uint256);
  function createPair(address tokenA, address tokenB) external returns (address pair);
}`,
  ),
  stub(
    'IUniswapV2ERC20',
    `import "IERC20";
interface IUniswapV2ERC20 is IERC20, IERC20Metadata, IERC20Permit { function PERMIT_TYPEHASH() external pure returns (bytes32); }`,
  ),
  stub(
    'IUniswapV2Pair',
    `import "IUniswapV2ERC20";
interface IUniswapV2Pair is IUniswapV2ERC20 {
  function MINIMUM_LIQUIDITY() external pure returns (uint256);
  function factory() external view returns (address);
  function token0() external view returns (address);
  function token1() external view returns (address);
  function getReserves() external view returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast);
  function price0CumulativeLast() external view returns (uint256);
  function price1CumulativeLast() external view returns (uint256);
  function kLast() external view returns (uint256);
  function mint(address to) external returns (uint256 liquidity);
  function burn(address to) external returns (uint256 amount0, uint256 amount1);
  function swap(uint256 amount0Out, uint256 amount1Out, address to, bytes calldata data) external;
  function skim(address to) external;
  function sync() external;
}`,
  ),
  stub(
    'IUniswapV2Callee',
    `
interface IUniswapV2Callee { function uniswapV2Call(address sender, uint256 amount0, uint256 amount1, bytes calldata data) external; }`,
  ),
  ...['IUniswapV2Router01', 'IUniswapV2Router02', 'IUniswapV2Router'].map((name) =>
    stub(
      name,
      `
interface ${name} {
  function factory() external view returns (address);
  function WETH() external view returns (address);
  function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) external returns (uint256 amountA, uint256 amountB, uint256 liquidity);
  function addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) external payable returns (uint256 amountToken, uint256 amountETH, uint256 liquidity);
  function removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) external returns (uint256 amountA, uint256 amountB);
  function removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) external returns (uint256 amountToken, uint256 amountETH);
  function swapExactTokensForTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external returns (uint256[] memory amounts);
  function swapTokensForExactTokens(uint256 amountOut, uint256 amountInMax, address[] calldata path, address to, uint256 deadline) external returns (uint256[] memory amounts);
  function swapExactETHForTokens(uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external payable returns (uint256[] memory amounts);
  function swapExactTokensForETH(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external returns (uint256[] memory amounts);
  function swapETHForExactTokens(uint256 amountOut, address[] calldata path, address to, uint256 deadline) external payable returns (uint256[] memory amounts);
  function swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external;
  function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external payable;
  function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] calldata path, address to, uint256 deadline) external;
  function quote(uint256 amountA, uint256 reserveA, uint256 reserveB) external pure returns (uint256 amountB);
  function getAmountOut(uint256 amountIn, uint256 reserveIn, uint256 reserveOut) external pure returns (uint256 amountOut);
  function getAmountIn(uint256 amountOut, uint256 reserveIn, uint256 reserveOut) external pure returns (uint256 amountIn);
  function getAmountsOut(uint256 amountIn, address[] calldata path) external view returns (uint256[] memory amounts);
  function getAmountsIn(uint256 amountOut, address[] calldata path) external view returns (uint256[] memory amounts);
}`,
    ),
  ),
  stub(
    'IUniswapV3Factory',
    `
interface IUniswapV3Factory {
  function getPool(address tokenA, address tokenB, uint24 fee) external view returns (address pool);
  function createPool(address tokenA, address tokenB, uint24 fee) external returns (address pool);
}`,
  ),
  stub(
    'IUniswapV3Pool',
    `
interface IUniswapV3Pool {
  function token0() external view returns (address);
  function token1() external view returns (address);
  function fee() external view returns (uint24);
  function tickSpacing() external view returns (int24);
  function liquidity() external view returns (uint128);
  function slot0() external view returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked);
  function observe(uint32[] calldata secondsAgos) external view returns (int56[] memory tickCumulatives, uint160[] memory secondsPerLiquidityCumulativeX128s);
  function swap(address recipient, bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96, bytes calldata data) external returns (int256 amount0, int256 amount1);
  function flash(address recipient, uint256 amount0, uint256 amount1, bytes calldata data) external;
  function mint(address recipient, int24 tickLower, int24 tickUpper, uint128 amount, bytes calldata data) external returns (uint256 amount0, uint256 amount1);
  function burn(int24 tickLower, int24 tickUpper, uint128 amount) external returns (uint256 amount0, uint256 amount1);
  function collect(address recipient, int24 tickLower, int24 tickUpper, uint128 amount0Requested, uint128 amount1Requested) external returns (uint128 amount0, uint128 amount1);
}`,
  ),
  stub(
    'ISwapRouter',
    `
interface ISwapRouter {
  struct ExactInputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; uint160 sqrtPriceLimitX96; }
  struct ExactInputParams { bytes path; address recipient; uint256 deadline; uint256 amountIn; uint256 amountOutMinimum; }
  struct ExactOutputSingleParams { address tokenIn; address tokenOut; uint24 fee; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; uint160 sqrtPriceLimitX96; }
  struct ExactOutputParams { bytes path; address recipient; uint256 deadline; uint256 amountOut; uint256 amountInMaximum; }
  function exactInputSingle(ExactInputSingleParams calldata params) external payable returns (uint256 amountOut);
  function exactInput(ExactInputParams calldata params) external payable returns (uint256 amountOut);
  function exactOutputSingle(ExactOutputSingleParams calldata params) external payable returns (uint256 amountIn);
  function exactOutput(ExactOutputParams calldata params) external payable returns (uint256 amountIn);
}`,
  ),
  stub(
    'TransferHelper',
    `import "IERC20";
library TransferHelper {
  function safeTransfer(address token, address to, uint256 value) internal { require(IERC20(token).transfer(to, value)); }
  function safeTransferFrom(address token, address from, address to, uint256 value) internal { require(IERC20(token).transferFrom(from, to, value)); }
  function safeApprove(address token, address to, uint256 value) internal { require(IERC20(token).approve(to, value)); }
  function safeTransferETH(address to, uint256 value) internal { (bool success, ) = to.call{value: value}(""); require(success); }
}`,
  ),
]
