import type { Description } from './description.ts'

/** Price feeds, and messages between chains (CCIP). */
export const chainlink: Description = {
  name: 'Chainlink',
  reference: 'https://docs.chain.link/data-feeds/historical-data',
  structs: {
    EVMTokenAmount: 'address token, uint256 amount',
    Any2EVMMessage:
      'bytes32 messageId, uint64 sourceChainSelector, bytes sender, bytes data, EVMTokenAmount[] destTokenAmounts',
  },
  readings: [
    {
      declaration:
        'latestRoundData() returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
      values: ['answer'],
      movedBy: 'report',
      reportedAt: 'updatedAt',
    },
    { declaration: 'latestAnswer() returns (int256 answer)', values: ['answer'], movedBy: 'report' },
  ],
  callbacks: [
    { declaration: 'ccipReceive(Any2EVMMessage message)', caller: 'the router' },
    { declaration: 'rawFulfillRandomWords(uint256 requestId, uint256[] randomWords)', caller: 'the VRF coordinator' },
  ],
}
