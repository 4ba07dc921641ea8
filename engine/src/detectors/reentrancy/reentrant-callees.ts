import { isProtected, isUntrusted, parametersCalledBy, writesState } from '../../facts/index.ts'
import { isSelf, keptIn, notifiedBy, tokenCallOf } from '../../idioms/index.ts'
import { type CallOp, type Flow, type Location, type Op, stripCasts } from '../../ir/index.ts'
/**
 * Calls by which an outsider's code runs: chosen by an outsider, or instructed to hand something to an account that an outsider chose,
 * with enough gas to call back.
 */
export const reentrantCallees = (flow: Flow): CallOp[] => {
  if (!writesState(flow)) return []
  // A call through a variable of function type has a target as well, and stays inside.
  const outside = new Set(flow.externalCalls())
  return flow.ops('call').filter((call) => isSafeMint(flow, call) || (outside.has(call) && canReenter(flow, call)))
}

/** The callee runs code that an outsider chose, with enough gas to call back. */
const canReenter = (flow: Flow, call: CallOp): boolean => {
  const info = call.call
  if (info.gasKind === 'stipend' || info.isStatic || info.kind === 'create' || info.kind === 'delegate') return false
  if (info.target === null) return false
  if (isUnresolved(flow, info.target) && isQuery(flow, call) && !isGivenAccount(flow, call)) return false
  if (isUntrusted(flow, info.target, call)) return true
  const definition = info.definition
  if (definition?.isImplemented && !definition.isStub) {
    return parametersCalledBy(flow.contractFlow, definition).some(
      (i) => call.args[i] !== undefined && isUntrusted(flow, call.args[i], call),
    )
  }
  return paysRecorded(flow, call) || paysOut(flow, call)
}

/** `_safeMint(to, …)` of a base whose file is missing: every NFT that has one asks its recipient. */
const isSafeMint = (flow: Flow, call: CallOp): boolean => {
  const { name, kind, definition } = call.call
  if (name !== '_safeMint' || kind !== 'internal' || definition !== null) return false
  return (call.args.length === 2 || call.args.length === 3) && isUntrusted(flow, call.args[0]!, call)
}

/** Anyone who is on record somewhere gets ether from anyone's call: the privileged who wrote it down chose whom to pay, not what it runs. */
const paysRecorded = (flow: Flow, call: CallOp): boolean => {
  const { kind, value, target } = call.call
  if (kind !== 'lowlevel' || value === null) return false
  const recorded = keptIn(stripCasts(target!))
  return recorded !== null && hasKey(recorded.place) && !isProtected(flow, call)
}

export const hasKey = (location: Location): boolean => {
  for (let at: Location | null = location; at !== null; at = at.parent) if (at.index !== null) return true
  return false
}

/** `IVault`, `files.IVault`: an interface by its name, so that a contract answers. */
const interfaceName = /^(?:\w+\.)*I[A-Z][a-z]/

/** A name of a missing base, or a type of a missing file, which may be a number with a library's functions as well as a contract. */
const isUnresolved = (flow: Flow, target: Op): boolean => {
  const op = stripCasts(target)
  const type = flow.typeOf(op)
  if (type?.kind === 'unknown') return !interfaceName.test(type.reason)
  // Nothing has a library as its type: another of that name is meant.
  if (type?.kind === 'contract' && type.contract.contractKind === 'library') return true
  return (op.kind === 'load' ? (op.location.base ?? op) : op).kind === 'unknown'
}

/** It was handed in as a value and is given an account: neither a number nor a list, so a contract. */
const isGivenAccount = (flow: Flow, { call, args }: CallOp): boolean => {
  const callee = stripCasts(call.target!)
  const variable = callee.kind === 'load' && callee.location.part === 'root' ? callee.location.variable : null
  if (variable === null || !args.some((arg) => isAccount(flow, arg))) return false
  return flow.contractFlow
    .writersOf(variable)
    .some(({ op }) => op.kind === 'store' && stripCasts(op.args[0]).kind === 'param')
}

/**
 * A trusted contract, most often a token, is instructed to hand something to an account that an outsider chose: many tokens let
 * the recipient run code then. What comes in from outside is no such moment, since nothing has been given yet.
 */
const paysOut = (flow: Flow, call: CallOp): boolean => {
  if (call.call.kind !== 'external') return false
  const notified = notifiedBy(call)
  if (notified !== null) return !isSelf(notified) && isAccount(flow, notified) && isUntrusted(flow, notified, call)
  const token = tokenCallOf(call)
  if (token?.from && isSelf(token.from)) return isAccount(flow, token.to) && isUntrusted(flow, token.to, call)
  if (call.args.some(isSelf) || isQuery(flow, call)) return false
  if (token === null && call.call.definition !== null) return false
  return call.args.some((arg) => isAccount(flow, arg) && isUntrusted(flow, arg, call))
}

const answered = new Set(['bin', 'store', 'cast', 'call', 'phi', 'select', 'builtin', 'make'])

/** Of a function that is not among the files: its answer is used, so it is a query. */
const isQuery = (flow: Flow, call: CallOp): boolean => {
  if (call.call.definition !== null) return false
  if (flow.isIndex(call) || flow.usersOf(call).some(({ kind }) => answered.has(kind))) return true
  return tokenCallOf(call) === null && isBranchCondition(flow, call)
}

/** Its answer decides a branch. */
const isBranchCondition = (flow: Flow, call: CallOp): boolean =>
  flow.isCondition(call) || flow.usersOf(call).some((user) => user.kind === 'un' && flow.isCondition(user))

const isAccount = (flow: Flow, value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'env') return op.operator === 'msg.sender'
  const kind = flow.typeOf(op)?.kind
  return kind === 'address' || kind === 'contract'
}
