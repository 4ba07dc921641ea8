/** Calls: what each does is read off its callee where that is plain to see, else looked up in the model. */
import {
  type CallTarget,
  type ContractModel,
  type Declaration,
  type EventModel,
  type FunctionModel,
  isVariable,
  type Model,
} from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import { type Op, plainCallInfo } from '../ir.ts'
import { elementType, grow, rootIdentifier } from './assignments.ts'
import type { Builder } from './builder.ts'
import { abiFunction, builtin, canonicalBuiltin, encodedValues, isPlainBuiltin, require } from './builtin-calls.ts'
import { addressCall, create, external, resultCount, results, unwrapOptions } from './external-calls.ts'
import { inline } from './inlining.ts'
import { expr, exprs, isBuiltin, isTypeName, plainValues, scalar } from './operands.ts'
import { asValue, forgetState } from './stored-values.ts'

export const call = (to: Builder, e: ast.Call, tried: boolean): Op => {
  const plain = tried ? null : plainCall(to, e)
  return plain ?? targetCall(to, e, to.model.callTarget(e), tried)
}

const targetCall = (to: Builder, e: ast.Call, target: CallTarget, tried: boolean): Op => {
  switch (target.kind) {
    case 'builtin':
      return builtin(to, e, target)
    case 'type-conversion':
      return cast(to, e, target.args[0])
    case 'internal':
      return internal(to, e, target, null)
    case 'super':
      return internal(to, e, target, writtenIn(to))
    case 'library':
    case 'using-for':
      return library(to, e, target, tried)
    case 'external':
      return external(to, e, target, tried)
    case 'low-level':
    case 'send':
    case 'transfer':
      return addressCall(to, e, target)
    case 'create':
      return create(to, e, target, tried)
    case 'struct-constructor': {
      const args = exprs(to, target.args)
      for (let i = 0; i < args.length; i++) args[i] = asValue(to, args[i]!, e)
      return to.emit('make', e, target.struct?.name ?? 'struct', args)
    }
    case 'new-array':
      return to.emit('make', e, 'new', exprs(to, target.args))
    case 'event':
      emitEvent(to, e, e)
      return to.nothing(e)
    case 'error':
      return to.emit('make', e, target.error?.name ?? 'error', exprs(to, target.args))
    case 'function-pointer':
      return target.isExternal ? external(to, e, target, tried) : pointerCall(to, e, target)
    default:
      return unknownCall(to, e, target, tried)
  }
}

/** Calls whose meaning their callee says alone: conversions, `require`, one function of that name. */
const plainCall = (to: Builder, e: ast.Call): Op | null => {
  const { callee } = e
  const { values, names } = e.args
  if (names !== null) return null
  const { kind } = callee
  if (kind === 'Member') return plainMemberCall(to, e, callee)
  if (kind === 'TypeExpression') return values.length === 1 ? cast(to, e, values[0]) : null
  if (kind !== 'Identifier') return null
  const decl = to.model.resolve(callee)
  if (decl === undefined) return callee.name === 'payable' ? null : opaqueCall(to, e, callee.name, exprs(to, values))
  if (Array.isArray(decl)) return null
  const one = decl as Declaration
  switch (one.kind) {
    case 'builtin':
      if (callee.name === 'require' || callee.name === 'assert') {
        if (values.length === 0) return null
        require(to, values[0]!, e, callee.name)
        return to.nothing(e)
      }
      return isPlainBuiltin(callee.name) ? builtinCall(to, e, canonicalBuiltin(callee.name)) : null
    case 'event':
      emitEvent(to, e, e)
      return to.nothing(e)
    case 'contract':
    case 'enum':
      return values.length === 1 ? cast(to, e, values[0]) : null
    case 'function':
      if (one.role !== 'function' || one.params.length !== values.length) return null
      if (one.contract === null || one.contract.contractKind === 'library') return null
      return dispatched(to, e, one, exprs(to, values), null)
    default:
      return null
  }
}

/** `abi.encode…(…)`, and `list.push(x)` on a list whose type is plain to see. */
const plainMemberCall = (to: Builder, e: ast.Call, callee: ast.Member): Op | null => {
  const { object } = callee
  const { name } = callee.name
  if (name.startsWith('encode') && object.kind === 'Identifier' && object.name === 'abi') {
    return isBuiltin(to.model, object) ? builtinCall(to, e, abiFunction(name)) : null
  }
  if (name !== 'push' || e.args.values.length > 1) return null
  const root = rootIdentifier(object)
  const decl = root === null ? undefined : to.model.resolve(root)
  if (!isVariable(decl) || decl.role !== 'state' || elementType(decl.type, object)?.kind !== 'array') return null
  return grow(to, e, object, e.args.values[0])
}

const builtinCall = (to: Builder, e: ast.Call, name: string): Op =>
  to.emit('builtin', e, name, plainValues(to, encodedValues(name, e.args.values)))

const cast = (to: Builder, e: ast.Call, arg: ast.Expression | undefined): Op => {
  const value = arg === undefined ? to.unknown('missing argument', e) : expr(to, arg)
  return to.push(to.make('cast', e, '', [scalar(value)], value.kind === 'ref' ? value.location : null))
}

export const emitEvent = (to: Builder, e: ast.Call, node: ast.Span): void => {
  let event = e.callee.kind === 'Identifier' ? plainEvent(to.model, e.callee) : null
  let args: readonly ast.Expression[] = e.args.values
  if (event === null || e.args.names !== null) {
    const target = to.model.callTarget(e)
    event = target.event
    if (target.args.length > 0) args = target.args
  }
  const values = plainValues(to, args)
  to.push(to.make('emit', node, event?.name ?? '', values, null, null, false, null, event))
}

const plainEvent = (model: Model, callee: ast.Identifier): EventModel | null => {
  const decl = model.resolve(callee)
  if (decl === undefined || Array.isArray(decl)) return null
  return (decl as Declaration).kind === 'event' ? (decl as EventModel) : null
}

/** The contract in whose text the current operation stands. */
const writtenIn = (to: Builder): ContractModel | null =>
  (to.site?.call === null ? to.site.fn.contract : to.frame.fn?.contract) ?? null

const internal = (to: Builder, e: ast.Call, target: CallTarget, superFrom: ContractModel | null): Op => {
  const fn = target.function ?? target.functions[0] ?? null
  const args = exprs(to, target.args)
  return fn === null ? opaqueCall(to, e, '', args) : dispatched(to, e, fn, args, superFrom)
}

/** Runs the implementation that this contract has of `calledFn`. */
const dispatched = (
  to: Builder,
  e: ast.Call,
  calledFn: FunctionModel,
  args: Op[],
  superFrom: ContractModel | null,
): Op => {
  let fn = calledFn
  if (to.contract !== null && calledFn.contract !== null) {
    const virtual = isVirtualCall(e)
    if (superFrom !== null) fn = to.model.superOf(calledFn, superFrom, to.contract) ?? calledFn
    else if (virtual) fn = to.model.dispatch(calledFn, to.contract)
    to.decisions.push({ called: calledFn, from: superFrom, got: fn, use: null, virtual })
  }
  return inline(to, fn, args, e, 'internal')
}

/** `Base.f()` names one implementation; `f()` is dispatched. */
const isVirtualCall = (e: ast.Call): boolean => unwrapOptions(e.callee).kind === 'Identifier'

const library = (to: Builder, e: ast.Call, target: CallTarget, tried: boolean): Op => {
  const fn = target.function ?? target.functions[0] ?? null
  const args = target.kind === 'using-for' ? attachedArgs(to, target) : exprs(to, target.args)
  return fn === null ? unknownCall(to, e, target, tried) : inline(to, fn, args, e, 'library')
}

/** What stands before the dot is the first argument. */
const attachedArgs = (to: Builder, { receiver, args }: CallTarget): Op[] => {
  if (receiver === null) return exprs(to, args)
  const first = expr(to, receiver)
  if (args.length === 1) return [first, expr(to, args[0]!)]
  const values = [first]
  for (let i = 0; i < args.length; i++) values.push(expr(to, args[i]!))
  return values
}

const pointerCall = (to: Builder, e: ast.Call, target: CallTarget): Op => {
  const callee = expr(to, e.callee)
  const args = exprs(to, target.args)
  const made = to.push(to.make('call', e, '', args, null, plainCallInfo('pointer', null, '', false, callee)))
  forgetState(to)
  return results(to, made, resultCount(target), e)
}

/** A call of which only the name is known. */
const opaqueCall = (to: Builder, e: ast.Call, name: string, args: Op[]): Op => {
  const made = to.push(to.make('call', e, name, args, null, plainCallInfo('internal', null, name, false, null)))
  forgetState(to)
  return made
}

const unknownCall = (to: Builder, e: ast.Call, target: CallTarget, tried: boolean): Op => {
  const callee = unwrapOptions(e.callee)
  if (callee.kind === 'Member' && !isSuper(callee.object) && !isAttached(to, callee.object)) {
    return external(to, e, target, tried)
  }
  const args = exprs(to, target.args.length > 0 ? target.args : e.args.values)
  if (callee.kind === 'Identifier') return opaqueCall(to, e, callee.name, args)
  if (callee.kind === 'Member') {
    if (!isTypeName(to.model, callee.object) && !isSuper(callee.object)) args.unshift(expr(to, callee.object))
    return opaqueCall(to, e, callee.name.name, args)
  }
  expr(to, callee)
  return opaqueCall(to, e, '', args)
}

const isSuper = (e: ast.Expression): boolean => e.kind === 'Identifier' && e.name === 'super'

/** Only an address or a contract can be called from outside: on anything else a member is a library's, here a missing one. */
const isAttached = (to: Builder, receiver: ast.Expression): boolean => {
  switch (to.model.typeOf(receiver).kind) {
    case 'contract':
    case 'address':
    case 'function':
      return false
    case 'unknown':
      return isSelector(to, receiver) || isUsed(to, receiver)
    default:
      return true
  }
}

/** `Missing.selector`: four bytes by the language alone, or thirty-two of an event, whatever file the name is from. */
const isSelector = (to: Builder, receiver: ast.Expression): boolean => {
  if (receiver.kind !== 'Member' || receiver.name.name !== 'selector') return false
  const found = declarationBelow(to.model, receiver.object)
  return Array.isArray(found) || (found as Declaration | undefined)?.kind !== 'variable'
}

/** A value of a missing type that lives in memory or storage as a whole, or that `using` attaches functions to. */
const isUsed = (to: Builder, receiver: ast.Expression): boolean => {
  if (isTypeName(to.model, receiver)) return true
  const found = declarationBelow(to.model, receiver)
  const decl = Array.isArray(found) ? undefined : (found as Declaration | undefined)
  if (decl === undefined) return receiver.kind === 'Identifier' && startsUpper(receiver.name)
  if (decl.kind !== 'variable') return false
  if (decl.location === 'storage' || decl.location === 'memory' || decl.location === 'calldata')
    return decl.role !== 'state'
  const name = lastName(decl.node.type)
  const usings = to.frame.fn?.contract?.usings ?? []
  return usings.some((using) => {
    if (using.type === null) return true
    return using.type.kind === 'UserType' && lastName(using.type) === name
  })
}

const lastName = (type: ast.TypeName): string =>
  type.kind === 'UserType' ? type.path.names[type.path.names.length - 1]!.name : ''

/** An unresolved name before a dot: by convention types and libraries start with a capital, and no variable is missing. */
const startsUpper = (name: string): boolean => name.charCodeAt(0) >= 65 && name.charCodeAt(0) <= 90

const declarationBelow = (model: Model, e: ast.Expression): Declaration | readonly Declaration[] | undefined => {
  let at = e
  while (at.kind === 'Index') at = at.object
  if (at.kind === 'Identifier') return model.declarationOf(at)
  return at.kind === 'Member' ? model.memberOf(at) : undefined
}
