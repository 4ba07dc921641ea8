/**
 * Functions that a token, a lender or a pool calls back. Type knowledge: these signatures are laid down by a standard
 * (ERC-677, 721, 777, 1155, 1363, 3156) or by the interface of a well-known pool, which say who the caller is; that
 * anyone else can call them too is for the contract to see to. What a standard does not say is recognized by what it does.
 */
import type { FunctionModel } from '../model/index.ts'

const signatures = new Set([
  'onTokenTransfer(address,uint256,bytes)',
  'onERC721Received(address,address,uint256,bytes)',
  'tokensReceived(address,address,address,uint256,bytes,bytes)',
  'onERC1155Received(address,address,uint256,uint256,bytes)',
  'onERC1155BatchReceived(address,address,uint256[],uint256[],bytes)',
  'onTransferReceived(address,address,uint256,bytes)',
  'onApprovalReceived(address,uint256,bytes)',
  'onFlashLoan(address,address,uint256,uint256,bytes)',
  'executeOperation(address,uint256,uint256,address,bytes)',
  'executeOperation(address[],uint256[],uint256[],address,bytes)',
  'uniswapV2Call(address,uint256,uint256,bytes)',
  'uniswapV3SwapCallback(int256,int256,bytes)',
  'uniswapV3MintCallback(uint256,uint256,bytes)',
  'uniswapV3FlashCallback(uint256,uint256,bytes)',
])

/** A function whose caller is laid down by a standard. */
export const isStandardCallback = (fn: FunctionModel): boolean => signatures.has(fn.signature)
