import { isSender, outsiderCanSet } from '../facts/index.ts'
import { type Flow, type Op, stripCasts } from '../ir/index.ts'

/** In words, the account that an address names, if any outsider can be that: the caller, one of the caller's choice, or one that anyone can set. */
export const outsiderNamedBy = (flow: Flow, address: Op): string | null => {
  const op = stripCasts(address)
  if (isSender(op)) return 'the caller'
  if (op.kind === 'param') return 'an address of the caller’s choice'
  const variable = op.kind === 'load' && op.location.part === 'root' ? op.location.variable : null
  return variable !== null && outsiderCanSet(flow.contractFlow, variable)
    ? `\`${variable.name}\`, which anyone can set`
    : null
}
