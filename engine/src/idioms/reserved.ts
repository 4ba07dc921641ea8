import { isSender, roleAt } from '../facts/index.ts'
import type { CallOp, Flow } from '../ir/index.ts'

/** Only known accounts get here, and a callee that calls back is another. */
export const isReserved = (flow: Flow, call: CallOp): boolean => {
  const role = roleAt(flow, call)
  // One of many on a list may be the very callee.
  return role !== null && (role.against !== 'keyed' || !isForSender(call))
}

/** The member itself may be called, as the one who gets ether or tokens. */
const isForSender = ({ call, args }: CallOp): boolean =>
  call.value !== null || (call.target !== null && isSender(call.target)) || args.some(isSender)
