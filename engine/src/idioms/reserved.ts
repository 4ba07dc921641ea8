import { isBroken, isSender, senderGuardsAt } from '../facts/index.ts'
import type { CallOp, Flow, Location } from '../ir/index.ts'

/** Only known accounts get here, and a callee that calls back is another. */
export const isReserved = (flow: Flow, call: CallOp): boolean =>
  senderGuardsAt(flow, call).some((guard) =>
    guard.against === 'state' ||
    guard.against === 'constant' ||
    guard.against === 'known' ||
    (guard.against === 'keyed' && guard.places.every(isMark) && !isForSender(call))
      ? !isBroken(flow.contractFlow, guard)
      : guard.against === 'unknown' && guard.op.operator === 'modifier',
  )

/** Membership: yes or no, and not how much. */
const isMark = ({ type }: Location): boolean => type?.kind === 'bool'

/** The member itself may be called, as the one who gets ether or tokens. */
const isForSender = ({ call, args }: CallOp): boolean =>
  call.value !== null || (call.target !== null && isSender(call.target)) || args.some(isSender)
