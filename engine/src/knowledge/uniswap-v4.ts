import type { Description } from './description.ts'

export const uniswapV4: Description = {
  name: 'Uniswap V4',
  reference: 'https://docs.uniswap.org/contracts/v4/concepts/hooks',
  structs: {
    PoolKey: 'address currency0, address currency1, uint24 fee, int24 tickSpacing, address hooks',
    SwapParams: 'bool zeroForOne, int256 amountSpecified, uint160 sqrtPriceLimitX96',
    ModifyLiquidityParams: 'int24 tickLower, int24 tickUpper, int256 liquidityDelta, bytes32 salt',
  },
  readings: [
    {
      declaration:
        'getSlot0(bytes32 poolId) returns (uint160 sqrtPriceX96, int24 tick, uint24 protocolFee, uint24 lpFee)',
      values: ['sqrtPriceX96', 'tick'],
      movedBy: 'trade',
    },
  ],
  callbacks: [
    { declaration: 'unlockCallback(bytes data)', caller: 'the pool manager' },
    {
      declaration: 'beforeSwap(address sender, PoolKey key, SwapParams params, bytes hookData)',
      caller: 'the pool manager',
    },
    {
      declaration: 'afterSwap(address sender, PoolKey key, SwapParams params, int256 delta, bytes hookData)',
      caller: 'the pool manager',
    },
    {
      declaration: 'beforeAddLiquidity(address sender, PoolKey key, ModifyLiquidityParams params, bytes hookData)',
      caller: 'the pool manager',
    },
    {
      declaration: 'beforeRemoveLiquidity(address sender, PoolKey key, ModifyLiquidityParams params, bytes hookData)',
      caller: 'the pool manager',
    },
    {
      declaration:
        'afterAddLiquidity(address sender, PoolKey key, ModifyLiquidityParams params, int256 delta, int256 feesAccrued, bytes hookData)',
      caller: 'the pool manager',
    },
    {
      declaration:
        'afterRemoveLiquidity(address sender, PoolKey key, ModifyLiquidityParams params, int256 delta, int256 feesAccrued, bytes hookData)',
      caller: 'the pool manager',
    },
  ],
}
