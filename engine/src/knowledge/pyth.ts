import type { Description } from './description.ts'

/** Prices that anyone may push, and random numbers. `getPriceNoOlderThan` checks the age itself. */
export const pyth: Description = {
  name: 'Pyth',
  reference: 'https://docs.pyth.network/price-feeds/best-practices',
  structs: { Price: 'int64 price, uint64 conf, int32 expo, uint256 publishTime' },
  readings: ['getPriceUnsafe', 'getEmaPriceUnsafe'].map((name) => ({
    declaration: `${name}(bytes32 id) returns (Price price)`,
    values: ['price.price'],
    movedBy: 'report' as const,
    reportedAt: 'price.publishTime',
  })),
  callbacks: [
    {
      declaration: '_entropyCallback(uint64 sequence, address provider, bytes32 randomNumber)',
      caller: 'the Entropy contract',
    },
  ],
}
