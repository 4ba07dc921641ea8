/** Allowances by signature: anyone who sees the signature can submit it first. */
import type { Description } from './description.ts'

export const erc2612: Description = {
  name: 'ERC-2612',
  reference: 'https://eips.ethereum.org/EIPS/eip-2612#security-considerations',
  permits: [
    {
      declaration:
        'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
      owner: 'owner',
    },
    // The form of DAI, which is older.
    {
      declaration:
        'permit(address holder, address spender, uint256 nonce, uint256 expiry, bool allowed, uint8 v, bytes32 r, bytes32 s)',
      owner: 'holder',
    },
  ],
}

export const permit2: Description = {
  name: 'Permit2',
  reference: 'https://docs.uniswap.org/contracts/permit2/reference/allowance-transfer',
  structs: {
    PermitDetails: 'address token, uint160 amount, uint48 expiration, uint48 nonce',
    PermitSingle: 'PermitDetails details, address spender, uint256 sigDeadline',
  },
  permits: [{ declaration: 'permit(address owner, PermitSingle permitSingle, bytes signature)', owner: 'owner' }],
  tokenCalls: [
    {
      declaration: 'transferFrom(address from, address to, uint160 amount, address token)',
      does: 'transferFrom',
      isSafe: true,
      token: 'token',
    },
  ],
}
