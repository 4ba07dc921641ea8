/** What a call does: which function, on which receiver, with which options. */
import type { Call, CallArguments, CallOptions, Expression, Member } from '../syntax/index.ts'
import { attachedFunctions } from './attached-functions.ts'
import { converts } from './conversions.ts'
import type { ContractModel, EventModel, FunctionModel, FunctionType, Type, VariableModel } from './declaration.ts'
import { callMeaning, keepCall } from './meanings.ts'
import { memberInfo } from './members.ts'
import type { CallKind, CallTarget } from './model.ts'
import type { Symbols } from './symbols.ts'
import { typeOf } from './type-expressions.ts'
import { withLocation } from './type-names.ts'
import { bool, bytes, emptyTuple, payableAddress, uint256 } from './type-table.ts'

type Draft = { -readonly [Key in keyof CallTarget]: CallTarget[Key] }

const noFunctions: readonly FunctionModel[] = []

export const callTarget = (call: Call, symbols: Symbols): CallTarget => {
  const known = callMeaning(call, symbols)
  if (known !== undefined) return known
  const target: Draft = {
    kind: 'unknown',
    function: null,
    functions: noFunctions,
    isVirtual: false,
    getter: null,
    builtin: null,
    receiver: null,
    args: call.args.values,
    value: null,
    gas: null,
    salt: null,
    contract: null,
    struct: null,
    event: null,
    error: null,
    type: symbols.unknownCall,
    isExternal: false,
    isOption: false,
  }
  decide(target, call, peelOptions(call.callee, target, symbols), symbols)
  keepCall(call, target, symbols)
  return target
}

/** Takes `{value: x}` and the older `.value(x).gas(y)` off a callee and notes them. */
const peelOptions = (callee: Expression, target: Draft, symbols: Symbols): Expression => {
  let node = callee
  for (;;) {
    if (node.kind === 'Tuple' && node.elements.length === 1 && node.elements[0]) {
      node = node.elements[0]
    } else if (node.kind === 'CallOptions') {
      noteOptions(node, target)
      node = node.callee
    } else if (node.kind === 'Call' && node.callee.kind === 'Member' && isOldOption(node.callee, symbols)) {
      const [value] = node.args.values
      if (value !== undefined) noteOption(node.callee.name.name, value, target)
      node = node.callee.object
    } else {
      return node
    }
  }
}

const noteOptions = (node: CallOptions, target: Draft) => {
  for (let i = 0; i < node.names.length; i++) {
    const value = node.values[i]
    if (value !== undefined) noteOption(node.names[i]?.name ?? '', value, target)
  }
}

const noteOption = (name: string, value: Expression, target: Draft) => {
  if (name === 'value') target.value ??= value
  else if (name === 'gas') target.gas ??= value
  else if (name === 'salt') target.salt ??= value
}

/** `f.value` and `f.gas` where `f` can be called; a struct field or function of that name is none. */
const isOldOption = (node: Member, symbols: Symbols): boolean => {
  const { name } = node.name
  if (name !== 'value' && name !== 'gas') return false
  const { found } = memberInfo(node, symbols)
  if (found !== undefined) return !Array.isArray(found) && (found as { kind: string }).kind === 'builtin'
  // On an unknown receiver `x.f.value(1)(2)` can only be the option.
  return node.object.kind === 'Member' || node.object.kind === 'NewExpression'
}

const decide = (target: Draft, call: Call, callee: Expression, symbols: Symbols) => {
  if (callee.kind === 'NewExpression') {
    decideNew(target, withLocation(symbols.typeOfNameAt(callee.type), 'memory', symbols))
    return
  }
  const type = typeOf(callee, symbols)
  if (type.kind === 'type') decideConversion(target, type.actual, call.args, symbols)
  else if (type.kind === 'function') decideFunction(target, type, call.args, callee, symbols)
  else if (callee.kind === 'Identifier' && callee.name === 'payable') {
    target.kind = 'type-conversion'
    target.type = payableAddress
  } else decideUnknown(target, callee, symbols)
}

const decideNew = (target: Draft, type: Type) => {
  target.type = type
  if (type.kind === 'array' || type.kind === 'bytes' || type.kind === 'string') {
    target.kind = 'new-array'
    return
  }
  target.kind = 'create'
  target.isExternal = true
  if (type.kind !== 'contract') return
  target.contract = type.contract
  const initializer = type.contract.constructor_
  if (initializer !== null) setFunction(target, initializer)
}

const setFunction = (target: Draft, fn: FunctionModel) => {
  target.function = fn
  target.functions = [fn]
}

const decideConversion = (target: Draft, type: Type, args: CallArguments, symbols: Symbols) => {
  if (type.kind === 'struct') {
    target.kind = 'struct-constructor'
    target.struct = type.struct
    target.args = inOrder(args, type.struct.fields, 0)
    target.type = withLocation(type, 'memory', symbols)
    return
  }
  target.kind = 'type-conversion'
  target.type = convertedType(type, args.values[0], symbols)
}

/** `bytes(s)` keeps where its operand lives; `address(x)` is payable when x can be paid. */
const convertedType = (type: Type, operand: Expression | undefined, symbols: Symbols): Type => {
  if (operand === undefined) return type
  if (type.kind === 'address' && !type.payable) {
    const from = typeOf(operand, symbols)
    if (from.kind === 'address' && from.payable) return from
    return symbols.fileAt(operand.start)?.versions.isAtLeast(8) ? type : payableAddress
  }
  if (type.kind !== 'bytes' && type.kind !== 'string' && type.kind !== 'array') return type
  const from = typeOf(operand, symbols)
  return withLocation(type, 'location' in from ? from.location : 'memory', symbols)
}

const decideFunction = (
  target: Draft,
  type: FunctionType,
  args: CallArguments,
  callee: Expression,
  symbols: Symbols,
) => {
  if (type.event !== null) {
    target.kind = 'event'
    const event = pickEvent(type, args, callee, symbols)
    target.event = event
    target.type = emptyTuple
    target.args = inOrder(args, event.params, 0)
  } else if (type.error !== null) {
    target.kind = 'error'
    target.error = type.error
    target.type = emptyTuple
    target.args = inOrder(args, type.error.params, 0)
  } else if (type.builtin !== null) decideBuiltin(target, type, args, callee, symbols)
  else if (type.functions.length > 0) decideNamed(target, type, args, callee, symbols)
  else decidePointer(target, type, callee, symbols)
}

const pickEvent = (type: FunctionType, args: CallArguments, callee: Expression, symbols: Symbols): EventModel => {
  const first = type.event as EventModel
  const found = callee.kind === 'Identifier' ? symbols.resolve(callee) : undefined
  if (!Array.isArray(found)) return first
  const events = found.filter((declaration): declaration is EventModel => declaration.kind === 'event')
  return pickByArguments(events, args, false, symbols)[0] ?? first
}

const decideNamed = (target: Draft, type: FunctionType, args: CallArguments, callee: Expression, symbols: Symbols) => {
  const chosen = pickByArguments(type.functions, args, type.attached, symbols)
  const fn = chosen[0] ?? (type.functions[0] as FunctionModel)
  target.function = fn
  target.functions = chosen.length === 0 ? type.functions : chosen
  target.args = inOrder(args, fn.params, type.attached ? 1 : 0)
  target.type = returnedType(fn.returns, symbols)
  if (callee.kind === 'Member') decideMember(target, fn, type, callee, symbols)
  else {
    target.kind = 'internal'
    target.isVirtual = fn.isVirtual
  }
}

const decideMember = (target: Draft, fn: FunctionModel, type: FunctionType, callee: Member, symbols: Symbols) => {
  if (type.attached) {
    target.kind = 'using-for'
    target.receiver = callee.object
    target.contract = fn.contract
    target.isExternal = isDelegated(fn)
    return
  }
  const object = typeOf(callee.object, symbols)
  if (object.kind === 'contract') {
    target.kind = object.isSuper ? 'super' : 'external'
    target.contract = object.contract
    target.isExternal = !object.isSuper
    if (!object.isSuper) target.receiver = callee.object
  } else if (object.kind === 'type' && fn.contract?.contractKind === 'library') {
    target.kind = 'library'
    target.contract = fn.contract
    target.isExternal = isDelegated(fn)
  } else {
    // `Base.f()` names one version and no other; `module.f()` a free function.
    target.kind = 'internal'
  }
}

/** Public functions of a library run by delegatecall in code deployed elsewhere. */
const isDelegated = (fn: FunctionModel): boolean =>
  fn.contract?.contractKind === 'library' && (fn.visibility === 'public' || fn.visibility === 'external')

const decidePointer = (target: Draft, type: FunctionType, callee: Expression, symbols: Symbols) => {
  target.type = resultType(type.returns, symbols)
  if (callee.kind === 'Member') {
    const object = typeOf(callee.object, symbols)
    const { found } = memberInfo(callee, symbols)
    if (object.kind === 'contract' && found !== undefined && !Array.isArray(found)) {
      target.kind = 'external'
      target.getter = found as VariableModel
      target.receiver = callee.object
      target.contract = object.contract as ContractModel
      target.isExternal = true
      return
    }
  }
  target.kind = 'function-pointer'
  target.receiver = callee
  target.isExternal = type.visibility === 'external'
}

const lowLevel = new Set(['call', 'delegatecall', 'staticcall', 'callcode'])

const decideBuiltin = (
  target: Draft,
  type: FunctionType,
  args: CallArguments,
  callee: Expression,
  symbols: Symbols,
) => {
  const name = type.builtin as string
  if (callee.kind === 'Member') target.receiver = callee.object
  if (isPaymentName(name)) {
    const functions = attachedPayments(callee, name, args, symbols)
    if (functions.length > 0) {
      decideNamed(target, { ...type, builtin: null, functions, attached: true }, args, callee, symbols)
      return
    }
    // Perhaps of a missing library: no payment has another number of arguments.
    if (args.values.length !== 1) return
  }
  target.builtin = name
  target.kind = 'builtin'
  target.type = builtinResult(name, type, args, callee, symbols)
  if (callee.kind !== 'Member') return
  const object = typeOf(callee.object, symbols)
  if (object.kind !== 'address' && object.kind !== 'contract') {
    if (name === 'value' || name === 'gas') target.isOption = true
    if (object.kind === 'magic' || object.kind === 'type') target.receiver = null
    return
  }
  const kind: CallKind | undefined = lowLevel.has(name) ? 'low-level' : isPaymentName(name) ? name : undefined
  if (kind !== undefined) {
    target.kind = kind
    target.isExternal = true
  }
  // `send(x)` and `transfer(x)` pay what their argument says.
  if (isPaymentName(name)) target.value = args.values[0] ?? null
}

/**
 * `token.transfer(to, amount)`, `account.transfer(amount)`: the function that `using` attaches, where the language has none of its own for
 * such a receiver. Since 0.5 it has one for what can be paid alone.
 */
const attachedPayments = (
  callee: Expression,
  name: string,
  args: CallArguments,
  symbols: Symbols,
): readonly FunctionModel[] => {
  if (callee.kind !== 'Member') return noFunctions
  const object = typeOf(callee.object, symbols)
  const isPayable = object.kind !== 'address' || object.payable
  const isPayment = isPayable || !symbols.fileAt(callee.start)?.versions.isAtLeast(5)
  return isPayment && args.values.length === 1 ? noFunctions : attachedFunctions(object, name, callee.start, symbols)
}

const isPaymentName = (name: string): name is 'send' | 'transfer' => name === 'send' || name === 'transfer'

const builtinResult = (
  name: string,
  type: FunctionType,
  args: CallArguments,
  callee: Expression,
  symbols: Symbols,
): Type => {
  switch (name) {
    case 'abi.decode':
      return decodedType(args.values[1], symbols)
    case 'type': {
      const [operand] = args.values
      const of = operand === undefined ? undefined : typeOf(operand, symbols)
      return of?.kind === 'type' ? symbols.types.meta(of.actual) : symbols.types.unknown('type')
    }
    case 'push':
      // With an argument it gave the new length before 0.6 and nothing since; without, the new element.
      if (args.values.length === 0) return resultType(type.returns, symbols)
      return symbols.fileAt(callee.start)?.versions.isAtLeast(6) ? emptyTuple : uint256
    default:
      return resultType(type.returns, symbols)
  }
}

const decodedType = (node: Expression | undefined, symbols: Symbols): Type => {
  if (node === undefined) return emptyTuple
  const type = typeOf(node, symbols)
  const parts = type.kind === 'tuple' ? type.elements : [type]
  const decoded = parts.map((part) =>
    part?.kind === 'type' ? withLocation(part.actual, 'memory', symbols) : symbols.types.unknown('decoded'),
  )
  return resultType(decoded, symbols)
}

const resultType = (types: readonly Type[], symbols: Symbols): Type => {
  const [only] = types
  return types.length === 1 && only !== undefined ? only : symbols.types.tuple(types)
}

const returnedType = (returns: readonly VariableModel[], symbols: Symbols): Type => {
  if (returns.length === 0) return emptyTuple
  if (returns.length === 1) return returns[0]!.type
  return symbols.types.tuple(returns.map((result) => result.type))
}

/**
 * Nothing is known about the callee but its shape: a member that is spelt like a low-level call is taken for one. Since 0.5 a
 * low-level call takes one argument, no more and no less, and only an address has such members: `world.call(system, data)`
 * and `inbox.send(message)`, with a type that a missing file declares, are functions of that file.
 */
const decideUnknown = (target: Draft, callee: Expression, symbols: Symbols) => {
  if (callee.kind !== 'Member') return
  const object = typeOf(callee.object, symbols)
  if (object.kind !== 'unknown') return
  target.receiver = callee.object
  const { name } = callee.name
  const argument = target.args.length
  const isOld = symbols.fileAt(callee.start)?.versions.isAtLeast(5) !== true
  if (!isOld && object.isWritten) return
  if (lowLevel.has(name) && (isOld || argument === 1)) {
    target.kind = 'low-level'
    target.builtin = name
    target.isExternal = true
    target.type = isOld ? bool : symbols.types.tuple([bool, bytes('memory')])
  } else if ((name === 'send' || name === 'transfer') && argument === 1) {
    target.kind = name
    target.builtin = name
    target.isExternal = true
    target.value = target.args[0] ?? null
    target.type = name === 'send' ? bool : emptyTuple
  }
}

// Overloads

interface Callable {
  readonly params: readonly VariableModel[]
}

/** The candidates that accept these arguments, best first; just one unless types are unknown. */
const pickByArguments = <T extends Callable>(
  candidates: readonly T[],
  args: CallArguments,
  attached: boolean,
  symbols: Symbols,
): readonly T[] => {
  if (candidates.length === 1) return candidates
  if (candidates.length < manyCandidates || args.names !== null)
    return pickUncached(candidates, args, attached, symbols)
  let known = symbols.types.picks.get(candidates) as Map<string, readonly T[]> | undefined
  if (known === undefined) {
    known = new Map()
    symbols.types.picks.set(candidates, known)
  }
  const key = `${attached} ${args.values.map((value) => typeOf(value, symbols).id).join()}`
  let picked = known.get(key)
  if (picked === undefined) {
    picked = pickUncached(candidates, args, attached, symbols)
    known.set(key, picked)
  }
  return picked
}

/** From here on the choice is kept: hundreds of calls of hundreds of overloads would each go through all of them. */
const manyCandidates = 8

const pickUncached = <T extends Callable>(
  candidates: readonly T[],
  args: CallArguments,
  attached: boolean,
  symbols: Symbols,
): readonly T[] => {
  const skipped = attached ? 1 : 0
  const fitting = candidates.filter((candidate) => fitsNames(candidate, args, skipped))
  if (fitting.length <= 1) return fitting
  const accepting = fitting.filter((candidate) => fitsTypes(candidate, args, skipped, symbols))
  if (accepting.length <= 1) return accepting.length === 1 ? accepting : fitting
  const scored = accepting.map((candidate) => ({ candidate, score: exactness(candidate, args, skipped, symbols) }))
  const best = Math.max(...scored.map(({ score }) => score))
  return scored.filter(({ score }) => score === best).map(({ candidate }) => candidate)
}

const fitsNames = (candidate: Callable, args: CallArguments, skipped: number): boolean => {
  if (candidate.params.length - skipped !== args.values.length) return false
  const { names } = args
  return names === null || names.every((name) => candidate.params.some((param) => param.name === name.name))
}

const paramFor = (candidate: Callable, args: CallArguments, index: number, skipped: number) => {
  const name = args.names?.[index]?.name
  return name === undefined
    ? candidate.params[index + skipped]
    : candidate.params.find((candidateParam) => candidateParam.name === name)
}

const fitsTypes = (candidate: Callable, args: CallArguments, skipped: number, symbols: Symbols): boolean =>
  args.values.every((value, i) => {
    const param = paramFor(candidate, args, i, skipped)
    return param === undefined || converts(typeOf(value, symbols), param.type)
  })

const exactness = (candidate: Callable, args: CallArguments, skipped: number, symbols: Symbols): number => {
  let score = 0
  args.values.forEach((value, i) => {
    const param = paramFor(candidate, args, i, skipped)
    if (param !== undefined && typeOf(value, symbols) === param.type) score++
  })
  return score
}

/** Arguments given by name, in the order of the parameters from the given one on. */
const inOrder = (args: CallArguments, params: readonly VariableModel[], from: number): readonly Expression[] => {
  if (args.names === null) return args.values
  const byName = new Map(args.names.map((name, i) => [name.name, args.values[i]]))
  const ordered: Expression[] = []
  for (let i = from; i < params.length; i++) {
    const value = byName.get(params[i]!.name)
    if (value !== undefined) ordered.push(value)
  }
  return ordered.length === args.values.length ? ordered : args.values
}
