/** Token standards: what moves tokens, who runs code by that, and which functions a token calls. */
import type { Description } from './description.ts'

export const erc20: Description = {
  name: 'ERC-20',
  reference: 'https://eips.ethereum.org/EIPS/eip-20',
  tokenCalls: [
    { declaration: 'transfer(address to, uint256 amount) returns (bool success)', does: 'transfer' },
    {
      declaration: 'transferFrom(address from, address to, uint256 amount) returns (bool success)',
      does: 'transferFrom',
    },
    { declaration: 'approve(address spender, uint256 amount) returns (bool success)', does: 'approve' },
    { declaration: 'safeTransfer(address to, uint256 amount)', does: 'transfer', isSafe: true },
    { declaration: 'safeTransferFrom(address from, address to, uint256 amount)', does: 'transferFrom', isSafe: true },
    { declaration: 'safeApprove(address spender, uint256 amount)', does: 'approve', isSafe: true },
    { declaration: 'forceApprove(address spender, uint256 amount)', does: 'approve', isSafe: true },
  ],
}

export const erc721: Description = {
  name: 'ERC-721',
  reference: 'https://eips.ethereum.org/EIPS/eip-721',
  notifications: [
    { declaration: 'safeTransferFrom(address from, address to, uint256 id, bytes data)', receiver: 'to' },
    { declaration: 'safeMint(address to, uint256 id)', receiver: 'to' },
    { declaration: 'safeMint(address to, uint256 id, bytes data)', receiver: 'to' },
  ],
  callbacks: [
    { declaration: 'onERC721Received(address operator, address from, uint256 id, bytes data)', caller: 'the token' },
  ],
}

export const erc777: Description = {
  name: 'ERC-777',
  reference: 'https://eips.ethereum.org/EIPS/eip-777',
  notifications: [
    { declaration: 'send(address to, uint256 amount, bytes data)', receiver: 'to' },
    {
      declaration: 'operatorSend(address from, address to, uint256 amount, bytes data, bytes operatorData)',
      receiver: 'to',
    },
  ],
  callbacks: [
    {
      declaration:
        'tokensReceived(address operator, address from, address to, uint256 amount, bytes userData, bytes operatorData)',
      caller: 'the token',
    },
  ],
}

export const erc1155: Description = {
  name: 'ERC-1155',
  reference: 'https://eips.ethereum.org/EIPS/eip-1155',
  notifications: [
    {
      declaration: 'safeTransferFrom(address from, address to, uint256 id, uint256 amount, bytes data)',
      receiver: 'to',
    },
    {
      declaration: 'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] amounts, bytes data)',
      receiver: 'to',
    },
  ],
  callbacks: [
    {
      declaration: 'onERC1155Received(address operator, address from, uint256 id, uint256 amount, bytes data)',
      caller: 'the token',
    },
    {
      declaration:
        'onERC1155BatchReceived(address operator, address from, uint256[] ids, uint256[] amounts, bytes data)',
      caller: 'the token',
    },
  ],
}

/** And ERC-677, from which it was made. */
export const erc1363: Description = {
  name: 'ERC-1363',
  reference: 'https://eips.ethereum.org/EIPS/eip-1363',
  notifications: [{ declaration: 'transferAndCall(address to, uint256 amount, bytes data)', receiver: 'to' }],
  callbacks: [
    { declaration: 'onTokenTransfer(address from, uint256 amount, bytes data)', caller: 'the token' },
    {
      declaration: 'onTransferReceived(address operator, address from, uint256 amount, bytes data)',
      caller: 'the token',
    },
    { declaration: 'onApprovalReceived(address owner, uint256 amount, bytes data)', caller: 'the token' },
  ],
}

/** What a share is worth follows from what the vault holds: anyone who gives it something moves that. */
export const erc4626: Description = {
  name: 'ERC-4626',
  reference: 'https://eips.ethereum.org/EIPS/eip-4626#security-considerations',
  readings: ['convertToAssets', 'previewRedeem'].map((name) => ({
    declaration: `${name}(uint256 shares) returns (uint256 assets)`,
    values: ['assets'],
    movedBy: 'trade' as const,
    isQuote: true as const,
  })),
}
