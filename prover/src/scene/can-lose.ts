import { isOwnInstruction, ownFunctions } from '../compile/test-library.ts'
import { bytesToHex } from '../evm/abi.ts'
import { hasInstruction } from '../evm/instructions.ts'
import { op } from '../evm/trace.ts'
import type { Chain } from './chain.ts'
import type { Instance } from './step.ts'

/** By which ether leaves, a token is moved, or other code is run or created. */
const outward: ReadonlySet<number> = new Set([
  op.CALL,
  op.CALLCODE,
  op.DELEGATECALL,
  op.CREATE,
  op.CREATE2,
  op.SELFDESTRUCT,
])

/** Whether calls can take anything by it: it pays or calls others, is a token, takes ether, or names an account that may have a right. */
export const canLose = (chain: Chain, { address, contract }: Instance): boolean => {
  const code = chain.machine.codeOf(address)
  if (
    chain.tokens.length > 0 ||
    contract.acceptsEther ||
    hasInstruction(code, outward, isOwnInstruction(chain.compilation, contract))
  )
    return true
  if (contract.functions.some(({ isPayable }) => isPayable)) return true
  const words = [...chain.machine.storageOf(address).values()].map((word) => word.toString(16).padStart(64, '0'))
  const text = [bytesToHex(code), ...words].join(' ')
  return Object.values(chain.actors).some((account) => text.includes(account.slice(2)))
}

/** Whether a call can change anything: all that the program lets others do is read. */
export const canChange = ({ compilation }: Chain, { contract }: Instance): boolean =>
  contract.hasFallback || contract.acceptsEther || ownFunctions(compilation, contract).some(({ isView }) => !isView)
