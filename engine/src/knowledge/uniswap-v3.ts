import type { Description } from './description.ts'

const bothLeast = ['params.amount0Min', 'params.amount1Min']
const bothGiven = ['params.amount0Desired', 'params.amount1Desired']

/** And its forks: PancakeSwap V3, Algebra (Camelot, QuickSwap). */
export const uniswapV3: Description = {
  name: 'Uniswap V3',
  reference: 'https://docs.uniswap.org/contracts/v3/reference/core/UniswapV3Pool',
  structs: {
    ExactInputSingleParams:
      'address tokenIn, address tokenOut, uint24 fee, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum, uint160 sqrtPriceLimitX96',
    ExactInputParams: 'bytes path, address recipient, uint256 deadline, uint256 amountIn, uint256 amountOutMinimum',
    MintParams:
      'address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline',
    IncreaseLiquidityParams:
      'uint256 tokenId, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, uint256 deadline',
    DecreaseLiquidityParams:
      'uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline',
  },
  readings: [
    {
      declaration:
        'slot0() returns (uint160 sqrtPriceX96, int24 tick, uint16 observationIndex, uint16 observationCardinality, uint16 observationCardinalityNext, uint8 feeProtocol, bool unlocked)',
      values: ['sqrtPriceX96', 'tick'],
      movedBy: 'trade',
    },
    {
      declaration:
        'globalState() returns (uint160 price, int24 tick, uint16 fee, uint16 timepointIndex, uint8 communityFee, bool unlocked)',
      values: ['price', 'tick'],
      movedBy: 'trade',
    },
    {
      declaration:
        'quoteExactInputSingle(address tokenIn, address tokenOut, uint24 fee, uint256 amountIn, uint160 sqrtPriceLimitX96) returns (uint256 amountOut)',
      values: ['amountOut'],
      movedBy: 'trade',
      isQuote: true,
    },
    {
      declaration: 'quoteExactInput(bytes path, uint256 amountIn) returns (uint256 amountOut)',
      values: ['amountOut'],
      movedBy: 'trade',
      isQuote: true,
    },
  ],
  trades: [
    {
      declaration: 'exactInputSingle(ExactInputSingleParams params)',
      least: ['params.amountOutMinimum'],
      worstPrice: 'params.sqrtPriceLimitX96',
      given: ['params.amountIn'],
      receiver: 'params.recipient',
    },
    {
      declaration: 'exactInput(ExactInputParams params)',
      least: ['params.amountOutMinimum'],
      given: ['params.amountIn'],
      receiver: 'params.recipient',
    },
    { declaration: 'mint(MintParams params)', least: bothLeast, given: bothGiven, receiver: 'params.recipient' },
    { declaration: 'increaseLiquidity(IncreaseLiquidityParams params)', least: bothLeast, given: bothGiven },
    { declaration: 'decreaseLiquidity(DecreaseLiquidityParams params)', least: bothLeast, given: ['params.liquidity'] },
  ],
  callbacks: [
    ...['uniswapV3SwapCallback', 'pancakeV3SwapCallback', 'algebraSwapCallback'].map((name) => ({
      declaration: `${name}(int256 amount0Delta, int256 amount1Delta, bytes data)`,
      caller: 'the pool',
    })),
    ...['uniswapV3MintCallback', 'pancakeV3MintCallback', 'algebraMintCallback'].map((name) => ({
      declaration: `${name}(uint256 amount0Owed, uint256 amount1Owed, bytes data)`,
      caller: 'the pool',
    })),
    ...['uniswapV3FlashCallback', 'pancakeV3FlashCallback', 'algebraFlashCallback'].map((name) => ({
      declaration: `${name}(uint256 fee0, uint256 fee1, bytes data)`,
      caller: 'the pool',
    })),
  ],
}
