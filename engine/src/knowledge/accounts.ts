/** Contracts that are accounts: what their entry point, modules and factories call. */
import type { Description } from './description.ts'

export const safe: Description = {
  name: 'Safe',
  reference: 'https://docs.safe.global/advanced/smart-account-guards',
  callbacks: [
    {
      declaration:
        'checkTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures, address msgSender)',
      caller: 'the Safe',
    },
    {
      declaration:
        'checkModuleTransaction(address to, uint256 value, bytes data, uint8 operation, address module) returns (bytes32 moduleTxHash)',
      caller: 'the Safe',
    },
    { declaration: 'checkAfterExecution(bytes32 hash, bool success)', caller: 'the Safe' },
    { declaration: 'checkAfterModuleExecution(bytes32 hash, bool success)', caller: 'the Safe' },
    {
      declaration: 'proxyCreated(address proxy, address singleton, bytes initializer, uint256 saltNonce)',
      caller: 'the proxy factory',
    },
  ],
}

const userOp = 'address sender, uint256 nonce, bytes initCode, bytes callData'

export const erc4337: Description = {
  name: 'ERC-4337',
  reference: 'https://eips.ethereum.org/EIPS/eip-4337',
  structs: {
    PackedUserOperation: `${userOp}, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature`,
    UserOperation: `${userOp}, uint256 callGasLimit, uint256 verificationGasLimit, uint256 preVerificationGas, uint256 maxFeePerGas, uint256 maxPriorityFeePerGas, bytes paymasterAndData, bytes signature`,
  },
  callbacks: [
    ...['PackedUserOperation', 'UserOperation'].flatMap((type) => [
      {
        declaration: `validateUserOp(${type} userOp, bytes32 userOpHash, uint256 missingAccountFunds)`,
        caller: 'the EntryPoint',
      },
      {
        declaration: `validatePaymasterUserOp(${type} userOp, bytes32 userOpHash, uint256 maxCost)`,
        caller: 'the EntryPoint',
      },
    ]),
    { declaration: 'executeUserOp(PackedUserOperation userOp, bytes32 userOpHash)', caller: 'the EntryPoint' },
    {
      declaration: 'postOp(uint8 mode, bytes context, uint256 actualGasCost, uint256 actualUserOpFeePerGas)',
      caller: 'the EntryPoint',
    },
    { declaration: 'postOp(uint8 mode, bytes context, uint256 actualGasCost)', caller: 'the EntryPoint' },
  ],
}
