/**
 * Lowers inline assembly to the operations of Solidity code: slots of variables become their places, the call family
 * becomes calls, arithmetic is never checked. Legacy stack style is opaque: anything may change.
 */
import type { Declaration, VariableModel } from '../model/index.ts'
import type * as ast from '../syntax/index.ts'
import { assignedNames } from './assigned-names.ts'
import type { FlowCallKind, Op } from './ir.ts'
import type { Lowering } from './lowering.ts'

const maxYulDepth = 8

export const lowerAssembly = (lowering: Lowering, statement: ast.AssemblyStatement): void => {
  if (statement.legacy) {
    lowering.emit('opaque', statement, 'legacy assembly', [])
    lowering.forgetState()
    for (let i = 0; i < lowering.env.length; i++) {
      if (lowering.env[i] !== undefined) lowering.env[i] = lowering.unknown('legacy assembly', statement)
    }
    return
  }
  new YulLowering(lowering).block(statement.body)
}

const operators: Record<string, string> = {
  add: '+',
  sub: '-',
  mul: '*',
  div: '/',
  sdiv: '/',
  mod: '%',
  smod: '%',
  exp: '**',
  lt: '<',
  gt: '>',
  slt: '<',
  sgt: '>',
  eq: '==',
  and: '&',
  or: '|',
  xor: '^',
}

const environments: Record<string, string> = {
  caller: 'msg.sender',
  callvalue: 'msg.value',
  calldatasize: 'msg.data.length',
  origin: 'tx.origin',
  gasprice: 'tx.gasprice',
  timestamp: 'block.timestamp',
  number: 'block.number',
  coinbase: 'block.coinbase',
  difficulty: 'block.difficulty',
  prevrandao: 'block.prevrandao',
  gaslimit: 'block.gaslimit',
  basefee: 'block.basefee',
  blobbasefee: 'block.blobbasefee',
  chainid: 'block.chainid',
  address: 'this',
}

const calls: Record<string, FlowCallKind> = {
  call: 'lowlevel',
  callcode: 'callcode',
  delegatecall: 'delegate',
  staticcall: 'static',
}

class YulLowering {
  private readonly to: Lowering
  private readonly functions: Map<string, ast.YulFunctionDefinition>[] = []
  private readonly active: ast.YulFunctionDefinition[] = []
  private depth = 0

  constructor(to: Lowering) {
    this.to = to
  }

  block(block: ast.YulBlock): void {
    if (this.depth > 200) return
    this.depth++
    const functions = new Map<string, ast.YulFunctionDefinition>()
    for (const s of block.statements) if (s.kind === 'YulFunctionDefinition') functions.set(s.name.name, s)
    this.functions.push(functions)
    for (const s of block.statements) {
      if (this.to.cur === null) break
      this.statement(s)
    }
    this.functions.pop()
    this.depth--
  }

  private statement(s: ast.YulStatement): void {
    const to = this.to
    switch (s.kind) {
      case 'YulBlock':
        this.block(s)
        return
      case 'YulVariable': {
        const value = s.value === null ? null : this.values(s.value)
        s.names.forEach((name, i) => {
          const op = value === null ? to.constant(0n, name) : (value[i] ?? to.unknown('result', name))
          const variable = to.model.declarationOf(name) ?? name
          const slot = to.slotOf(variable)
          if (slot >= 0) to.env[slot] = op
          else to.declare(variable, op)
        })
        return
      }
      case 'YulAssignment': {
        const value = this.values(s.value)
        s.targets.forEach((target, i) => {
          this.assign(target, value[i] ?? to.unknown('result', target))
        })
        return
      }
      case 'YulIf': {
        const condition = this.expr(s.condition)
        to.branch(condition, () => this.block(s.body), null)
        return
      }
      case 'YulFor': {
        for (const inner of s.init.statements) this.statement(inner)
        to.yulLoop(
          s,
          assignedNames(s) ?? new Set(),
          () => this.expr(s.condition),
          () => this.block(s.body),
          () => this.block(s.update),
        )
        return
      }
      case 'YulSwitch':
        this.cases(s, this.expr(s.value), 0)
        return
      case 'YulLeave':
        to.leaveLevel()
        return
      case 'YulBreak':
        to.leaveLoop(true)
        return
      case 'YulContinue':
        to.leaveLoop(false)
        return
      case 'YulExpressionStatement':
        this.values(s.expression)
        return
    }
  }

  private cases(s: ast.YulSwitch, value: Op, from: number): void {
    const to = this.to
    for (let i = from; i < s.cases.length; i++) {
      const one = s.cases[i]!
      if (one.value === null) {
        this.block(one.body)
        return
      }
      if (i > 120) continue
      const condition = to.bin('==', value, this.literal(one.value), one.value, true)
      to.branch(
        condition,
        () => this.block(one.body),
        () => this.cases(s, value, i + 1),
      )
      return
    }
  }

  private variable(path: ast.YulPath): Declaration | undefined {
    const decl = this.to.model.resolve(path.names[0]!) ?? this.to.model.resolve(path)
    return Array.isArray(decl) ? decl[0] : (decl as Declaration | undefined)
  }

  private assign(target: ast.YulPath, value: Op): void {
    const to = this.to
    const decl = this.variable(target)
    if (decl === undefined) return
    const member = target.names[1]?.name
    const slot = to.slotOf(decl)
    if (slot < 0) return
    if (member === 'slot') {
      const place = value.kind === 'ref' && value.location !== null ? value.location : to.slotRoot(value)
      to.env[slot] = to.make('ref', target, '', [], place)
    } else if (member === undefined) to.env[slot] = value
    else if (member === 'offset' || member === 'length') to.env[slot] = to.unknown('assembly', target, [value])
  }

  /** Also `x_slot` and `x_offset` of 0.4 to 0.6. */
  private path(path: ast.YulPath): Op {
    const to = this.to
    const first = path.names[0]!.name
    const member =
      path.names[1]?.name ?? (first.endsWith('_slot') ? 'slot' : first.endsWith('_offset') ? 'offset' : undefined)
    const decl = this.variable(path)
    if (decl === undefined) return to.unknown(first, path)
    if (decl.kind === 'variable') return this.solidityVariable(decl, member, path)
    const slot = to.slotOf(decl)
    return (slot < 0 ? undefined : to.env[slot]) ?? to.unknown(first, path)
  }

  private solidityVariable(decl: VariableModel, member: string | undefined, path: ast.YulPath): Op {
    const to = this.to
    if (member === 'offset') return to.constant(0n, path)
    if (decl.role === 'state' && !decl.isConstant) {
      return to.make('ref', path, '', [], to.stateRoot(decl))
    }
    if (decl.isConstant || decl.role === 'constant') {
      const value = decl.value === null ? undefined : to.model.constantValue(decl.value)
      if (typeof value === 'bigint') return to.constant(value, path)
      return to.make('const', path, decl.name, [], null, null, false, null, decl)
    }
    const slot = to.slotOf(decl)
    const value = slot < 0 ? undefined : to.env[slot]
    if (value === undefined) return to.unknown(decl.name, path)
    if (member === 'length') return to.load(to.child(to.placeOfValue(value), 'length', '', null), path)
    if (member === 'slot' && value.kind !== 'ref') {
      return to.make('ref', path, '', [], to.placeOfValue(value))
    }
    return value
  }

  private literal(literal: ast.YulLiteral): Op {
    const to = this.to
    if (literal.literalKind === 'bool') return to.constant(literal.value === 'true' ? 1n : 0n, literal)
    if (literal.literalKind === 'number' || literal.literalKind === 'hexNumber') {
      try {
        return to.constant(BigInt(literal.value.replaceAll('_', '')), literal)
      } catch {
        return to.unknown('number', literal)
      }
    }
    return to.make('const', literal, literal.value, [])
  }

  private expr(e: ast.YulExpression): Op {
    return this.values(e)[0] ?? this.to.unknown('nothing', e)
  }

  private values(e: ast.YulExpression): Op[] {
    if (e.kind === 'YulPath') return [this.path(e)]
    if (e.kind === 'YulLiteral') return [this.literal(e)]
    if (this.depth > 200) return [this.to.unknown('nested too deeply', e)]
    this.depth++
    const values = this.call(e)
    this.depth--
    return values
  }

  private function(name: string): ast.YulFunctionDefinition | undefined {
    for (let i = this.functions.length - 1; i >= 0; i--) {
      const found = this.functions[i]!.get(name)
      if (found !== undefined) return found
    }
    return undefined
  }

  private call(e: ast.YulCall): Op[] {
    const to = this.to
    const name = e.name.name
    // Arguments run from the last to the first.
    const args: Op[] = new Array(e.args.length)
    for (let i = e.args.length - 1; i >= 0; i--) args[i] = this.expr(e.args[i]!)
    const fn = this.function(name)
    if (fn !== undefined) return this.ownFunction(fn, args, e)
    const operator = operators[name]
    if (operator !== undefined) return [to.bin(operator, args[0]!, args[1]!, e, false)]
    const environment = environments[name]
    if (environment !== undefined) return [to.environment(environment, e)]
    if (calls[name] !== undefined) return [this.externalCall(e, calls[name], args)]
    return this.instruction(e, name, args)
  }

  private ownFunction(fn: ast.YulFunctionDefinition, args: Op[], e: ast.YulCall): Op[] {
    const to = this.to
    if (this.active.includes(fn) || this.active.length > maxYulDepth) {
      to.emit('opaque', e, 'recursion', args)
      to.forgetState()
      return fn.returns.map((r) => to.unknown('recursion', r))
    }
    this.active.push(fn)
    const declared = (name: ast.Identifier): object => {
      const decl = to.model.resolve(name)
      return decl === undefined || Array.isArray(decl) ? name : (decl as object)
    }
    const values = to.yulCall(fn.params.map(declared), args, fn.returns.map(declared), () => this.block(fn.body))
    this.active.pop()
    return values
  }

  private externalCall(e: ast.YulCall, kind: FlowCallKind, args: Op[]): Op {
    const to = this.to
    const hasValue = kind === 'lowlevel' || kind === 'callcode'
    const gas = args[0] ?? to.unknown('gas', e)
    const target = args[1] ?? to.unknown('target', e)
    const all = gas.kind === 'builtin' && gas.operator === 'gasleft'
    const value = hasValue ? (args[2] ?? null) : null
    const sent = value !== null && value.kind === 'const' && value.constant === 0n ? null : value
    const input = args.slice(hasValue ? 3 : 2)
    return to.addressCall(e, kind, e.name.name, target, sent, all ? null : gas, input, 1)
  }

  private instruction(e: ast.YulCall, name: string, args: Op[]): Op[] {
    const to = this.to
    switch (name) {
      case 'sload':
      case 'tload':
        return [to.load(this.slot(args[0], e), e)]
      case 'sstore':
      case 'tstore':
        to.store(this.slot(args[0], e), args[1] ?? to.unknown('value', e), e)
        return []
      case 'iszero':
        return [to.emit('un', e, '!', [args[0]!])]
      case 'not':
        return [to.emit('un', e, '~', [args[0]!])]
      case 'shl':
        return [to.bin('<<', args[1]!, args[0]!, e, false)]
      case 'shr':
      case 'sar':
        return [to.bin('>>', args[1]!, args[0]!, e, false)]
      case 'gas':
        return [to.emit('builtin', e, 'gasleft', [])]
      case 'balance':
        return [to.emit('builtin', e, 'balance', args)]
      case 'selfbalance':
        return [to.emit('builtin', e, 'balance', [to.environment('this', e)])]
      case 'create':
      case 'create2':
        return [to.createCall(e, null, args[0] ?? null, null, args.slice(1), true)]
      case 'selfdestruct':
      case 'suicide':
        to.emit('builtin', e, 'selfdestruct', args)
        to.halt(e)
        return []
      case 'revert':
      case 'invalid':
        to.revert(e, args)
        return []
      case 'return':
      case 'stop':
        to.halt(e)
        return []
      case 'pop':
        return []
      default:
        return [to.emit('builtin', e, name, args)]
    }
  }

  private slot(value: Op | undefined, e: ast.YulCall) {
    if (value !== undefined && value.kind === 'ref' && value.location !== null) return value.location
    return this.to.slotRoot(value ?? this.to.unknown('slot', e))
  }
}
