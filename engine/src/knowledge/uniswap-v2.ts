import type { Description } from './description.ts'

/** And its forks: SushiSwap, PancakeSwap, Camelot. */
export const uniswapV2: Description = {
  name: 'Uniswap V2',
  reference: 'https://docs.uniswap.org/contracts/v2/reference/smart-contracts/router-02',
  readings: [
    {
      declaration: 'getReserves() returns (uint112 reserve0, uint112 reserve1, uint32 blockTimestampLast)',
      values: ['reserve0', 'reserve1'],
      movedBy: 'trade',
    },
    ...['getAmountsOut', 'getAmountsIn'].map((name) => ({
      declaration: `${name}(uint256 amount, address[] path) returns (uint256[] amounts)`,
      values: ['amounts'],
      movedBy: 'trade' as const,
      isQuote: true as const,
    })),
    ...['getAmountOut', 'getAmountIn'].map((name) => ({
      declaration: `${name}(uint256 amount, uint256 reserveIn, uint256 reserveOut) returns (uint256 other)`,
      values: ['other'],
      movedBy: 'trade' as const,
      isQuote: true as const,
    })),
  ],
  trades: [
    ...['swapExactTokensForTokens', 'swapExactTokensForETH'].flatMap((name) =>
      [name, `${name}SupportingFeeOnTransferTokens`].map((name) => ({
        declaration: `${name}(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)`,
        least: ['amountOutMin'],
        given: ['amountIn'],
        receiver: 'to',
        deadline: 'deadline',
      })),
    ),
    ...['swapExactETHForTokens', 'swapExactETHForTokensSupportingFeeOnTransferTokens'].map((name) => ({
      declaration: `${name}(uint256 amountOutMin, address[] path, address to, uint256 deadline)`,
      least: ['amountOutMin'],
      receiver: 'to',
      deadline: 'deadline',
    })),
    ...['swapTokensForExactTokens', 'swapTokensForExactETH'].map((name) => ({
      declaration: `${name}(uint256 amountOut, uint256 amountInMax, address[] path, address to, uint256 deadline)`,
      deadline: 'deadline',
    })),
    {
      declaration: 'swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline)',
      deadline: 'deadline',
    },
    {
      declaration:
        'addLiquidity(address tokenA, address tokenB, uint256 amountA, uint256 amountB, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
      least: ['amountAMin', 'amountBMin'],
      given: ['amountA', 'amountB'],
      receiver: 'to',
      deadline: 'deadline',
    },
    {
      declaration:
        'addLiquidityETH(address token, uint256 amount, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline)',
      least: ['amountTokenMin', 'amountETHMin'],
      given: ['amount'],
      receiver: 'to',
      deadline: 'deadline',
    },
    {
      declaration:
        'removeLiquidity(address tokenA, address tokenB, uint256 liquidity, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline)',
      least: ['amountAMin', 'amountBMin'],
      given: ['liquidity'],
      receiver: 'to',
      deadline: 'deadline',
    },
    {
      declaration:
        'removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline)',
      least: ['amountTokenMin', 'amountETHMin'],
      given: ['liquidity'],
      receiver: 'to',
      deadline: 'deadline',
    },
  ],
  callbacks: ['uniswapV2Call', 'pancakeCall'].map((name) => ({
    declaration: `${name}(address sender, uint256 amount0, uint256 amount1, bytes data)`,
    caller: 'the pair',
    initiator: 'sender',
  })),
}
