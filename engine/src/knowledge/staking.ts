/** Staked ether: a withdrawal pays ether to an account of the caller's choice, which runs code by that. */
import type { Description } from './description.ts'

export const lido: Description = {
  name: 'Lido',
  reference: 'https://docs.lido.fi/contracts/withdrawal-queue-erc721',
  notifications: [
    {
      declaration: 'claimWithdrawalsTo(uint256[] requestIds, uint256[] hints, address recipient)',
      receiver: 'recipient',
    },
  ],
}
