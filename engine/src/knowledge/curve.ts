import type { Description } from './description.ts'

export const curve: Description = {
  name: 'Curve',
  reference: 'https://docs.curve.finance',
  readings: [
    ...['get_dy', 'get_dy_underlying'].map((name) => ({
      declaration: `${name}(int128 i, int128 j, uint256 dx) returns (uint256 dy)`,
      values: ['dy'],
      movedBy: 'trade' as const,
      isQuote: true as const,
    })),
    {
      declaration: 'calc_withdraw_one_coin(uint256 amount, int128 i) returns (uint256 coins)',
      values: ['coins'],
      movedBy: 'trade',
      isQuote: true,
    },
    { declaration: 'get_p(uint256 i) returns (uint256 price)', values: ['price'], movedBy: 'trade' },
    { declaration: 'get_virtual_price() returns (uint256 price)', values: ['price'], movedBy: 'exit' },
    { declaration: 'lp_price() returns (uint256 price)', values: ['price'], movedBy: 'exit' },
  ],
  trades: [
    ...['exchange', 'exchange_underlying'].map((name) => ({
      declaration: `${name}(int128 i, int128 j, uint256 dx, uint256 min_dy)`,
      least: ['min_dy'],
      given: ['dx'],
    })),
    {
      declaration: 'add_liquidity(uint256[2] amounts, uint256 min_mint_amount)',
      least: ['min_mint_amount'],
      given: ['amounts'],
    },
    {
      declaration: 'remove_liquidity_one_coin(uint256 amount, int128 i, uint256 min_amount)',
      least: ['min_amount'],
      given: ['amount'],
    },
  ],
  lockProbes: ['withdraw_admin_fees', 'claim_admin_fees', 'remove_liquidity'],
}
