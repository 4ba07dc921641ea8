import type { Description } from './description.ts'

export const balancer: Description = {
  name: 'Balancer',
  reference: 'https://docs-v2.balancer.fi/reference/contracts',
  structs: {
    BatchSwapStep: 'bytes32 poolId, uint256 assetInIndex, uint256 assetOutIndex, uint256 amount, bytes userData',
    FundManagement: 'address sender, bool fromInternalBalance, address recipient, bool toInternalBalance',
  },
  readings: [
    {
      declaration:
        'getPoolTokens(bytes32 poolId) returns (address[] tokens, uint256[] balances, uint256 lastChangeBlock)',
      values: ['tokens', 'balances'],
      movedBy: 'trade',
    },
    { declaration: 'getRate() returns (uint256 rate)', values: ['rate'], movedBy: 'exit' },
  ],
  // `swap` has as many arguments as that of a Uniswap pair, and is not described for that reason.
  trades: [
    {
      declaration:
        'batchSwap(uint8 kind, BatchSwapStep[] swaps, address[] assets, FundManagement funds, int256[] limits, uint256 deadline)',
      deadline: 'deadline',
    },
  ],
  callbacks: [
    {
      declaration: 'receiveFlashLoan(address[] tokens, uint256[] amounts, uint256[] feeAmounts, bytes userData)',
      caller: 'the vault',
    },
  ],
  lockProbes: ['ensureNotInVaultContext', 'manageUserBalance'],
}
