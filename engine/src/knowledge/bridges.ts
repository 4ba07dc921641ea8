/** Messages from other chains: the local endpoint delivers them, and says from which chain and which sender. */
import type { Description } from './description.ts'

export const layerZero: Description = {
  name: 'LayerZero',
  reference: 'https://docs.layerzero.network',
  structs: { Origin: 'uint32 srcEid, bytes32 sender, uint64 nonce' },
  callbacks: [
    {
      declaration: 'lzReceive(uint16 srcChainId, bytes srcAddress, uint64 nonce, bytes payload)',
      caller: 'the endpoint',
    },
    {
      declaration: 'lzReceive(Origin origin, bytes32 guid, bytes message, address executor, bytes extraData)',
      caller: 'the endpoint',
    },
    {
      declaration: 'lzCompose(address from, bytes32 guid, bytes message, address executor, bytes extraData)',
      caller: 'the endpoint',
    },
  ],
}

export const hyperlane: Description = {
  name: 'Hyperlane',
  reference: 'https://docs.hyperlane.xyz',
  callbacks: [{ declaration: 'handle(uint32 origin, bytes32 sender, bytes body)', caller: 'the mailbox' }],
}

export const wormhole: Description = {
  name: 'Wormhole',
  reference: 'https://wormhole.com/docs',
  callbacks: [
    {
      declaration:
        'receiveWormholeMessages(bytes payload, bytes[] additionalMessages, bytes32 sourceAddress, uint16 sourceChain, bytes32 deliveryHash)',
      caller: 'the relayer',
    },
  ],
}

export const connext: Description = {
  name: 'Connext',
  reference: 'https://docs.connext.network',
  callbacks: [
    {
      declaration:
        'xReceive(bytes32 transferId, uint256 amount, address asset, address originSender, uint32 origin, bytes callData)',
      caller: 'the bridge',
    },
  ],
}

export const stargate: Description = {
  name: 'Stargate',
  reference: 'https://stargateprotocol.gitbook.io/stargate',
  callbacks: [
    {
      declaration:
        'sgReceive(uint16 chainId, bytes srcAddress, uint256 nonce, address token, uint256 amount, bytes payload)',
      caller: 'the router',
    },
  ],
}
