import type { Description } from './description.ts'

export const aave: Description = {
  name: 'Aave',
  reference: 'https://aave.com/docs/developers/flash-loans',
  callbacks: [
    {
      declaration: 'executeOperation(address asset, uint256 amount, uint256 premium, address initiator, bytes params)',
      caller: 'the pool',
      initiator: 'initiator',
    },
    {
      declaration:
        'executeOperation(address[] assets, uint256[] amounts, uint256[] premiums, address initiator, bytes params)',
      caller: 'the pool',
      initiator: 'initiator',
    },
  ],
}

export const erc3156: Description = {
  name: 'ERC-3156',
  reference: 'https://eips.ethereum.org/EIPS/eip-3156',
  callbacks: [
    {
      declaration: 'onFlashLoan(address initiator, address token, uint256 amount, uint256 fee, bytes data)',
      caller: 'the lender',
      initiator: 'initiator',
    },
  ],
}

export const morpho: Description = {
  name: 'Morpho',
  reference: 'https://docs.morpho.org',
  callbacks: [
    'onMorphoFlashLoan',
    'onMorphoSupply',
    'onMorphoRepay',
    'onMorphoLiquidate',
    'onMorphoSupplyCollateral',
  ].map((name) => ({ declaration: `${name}(uint256 assets, bytes data)`, caller: 'the market' })),
}

/** And its forks: failure is an answer, not a revert. */
export const compound: Description = {
  name: 'Compound V2',
  reference: 'https://docs.compound.finance/v2/ctokens',
  errorCodes: [
    'mint(uint256)',
    'redeem(uint256)',
    'redeemUnderlying(uint256)',
    'borrow(uint256)',
    'repayBorrow(uint256)',
    'repayBorrowBehalf(address,uint256)',
  ],
}
