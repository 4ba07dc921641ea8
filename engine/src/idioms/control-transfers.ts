/** Calls during which code of an outsider's choice can run and call back. */
import { implementedBy, isUntrusted, parametersCalledBy } from '../facts/index.ts'
import { type CallOp, type Flow, type Op, stripCasts } from '../ir/index.ts'
import { isSelf, notifiedBy } from './token-calls.ts'

/** In program order. */
export const controlTransfers = (flow: Flow): readonly CallOp[] => flow.answer(findTransfers)

const findTransfers = (flow: Flow): readonly CallOp[] => {
  const outside = new Set(flow.externalCalls())
  return flow.ops('call').filter((op) => (outside.has(op) && runsOutsider(flow, op)) || acceptsByHook(flow, op))
}

const runsOutsider = (flow: Flow, op: CallOp): boolean => {
  const { kind, target, isStatic, gasKind } = op.call
  if (target === null || isStatic || gasKind === 'stipend' || kind === 'create' || kind === 'delegate') return false
  if (isAccount(flow, target) && isUntrusted(flow, target, op)) return true
  return receiversOf(flow, op).some((account) => !isSelf(account) && isUntrusted(flow, account, op))
}

/** `IVault`, `files.IVault`: an interface by its name. Other types of missing files may be numbers with functions of a library. */
const interfaceName = /^(?:\w+\.)*I[A-Z][a-z]/

const isAccount = (flow: Flow, target: Op): boolean => {
  const type = flow.typeOf(target) ?? flow.typeOf(stripCasts(target))
  if (type === null) return target.kind !== 'unknown'
  if (type.kind === 'unknown') return interfaceName.test(type.reason)
  return type.kind === 'address' || (type.kind === 'contract' && type.contract.contractKind !== 'library')
}

/** Accounts whose code the callee runs: by its standard, or because a contract of the scan calls what it is given. */
const receiversOf = (flow: Flow, op: CallOp): readonly Op[] => {
  const notified = notifiedBy(op)
  if (notified !== null) return [notified]
  const { definition } = op.call
  if (definition === null || definition.isStub) return []
  const bodies = definition.isImplemented ? [definition] : implementedBy(flow, definition)
  return bodies.flatMap((body) => parametersCalledBy(flow.contractFlow, body).flatMap((index) => op.args[index] ?? []))
}

/** Functions of the usual NFT bases, by which a recipient has to accept, and the argument that names the recipient. */
const acceptance: ReadonlyMap<string, number> = new Map([
  ['_safeMint', 0],
  ['_safeTransfer', 1],
  ['checkOnERC721Received', 2],
  ['checkOnERC1155Received', 2],
])

/** `_safeMint(to, id)` of a base that was not inlined. */
const acceptsByHook = (flow: Flow, op: CallOp): boolean => {
  const index = op.call.inlined ? undefined : acceptance.get(op.call.name)
  // Of a missing library the name comes first.
  const skipped = op.args[0]?.kind === 'unknown' ? 1 : 0
  const account = index === undefined ? undefined : op.args[index + skipped]
  return account !== undefined && isUntrusted(flow, account, op)
}
