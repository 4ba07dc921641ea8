/**
 * Lowers inline assembly to the operations of Solidity code: slots of variables become their places, the call family
 * becomes calls, arithmetic is never checked. Legacy stack style is opaque: anything may change.
 */

import type { Declaration, VariableModel } from '../../model/index.ts'
import type * as ast from '../../syntax/index.ts'
import { assignedNames } from '../assigned-names.ts'
import { budget } from '../budget.ts'
import type { FlowCallKind, Location, Op } from '../ir.ts'
import type { Builder } from './builder.ts'
import { creation, lowLevelCall } from './external-calls.ts'
import { Frame, Level } from './frames.ts'
import { closeLevel, leaveLevel } from './inlining.ts'
import { meet } from './joins.ts'
import { closeLoop, enterBody, leaveBody, leaveRound, openLoop, testLoop } from './loops.ts'
import { child, mappingPlace, placeOfValue, slotRoot, stateRoot } from './places.ts'
import { ScratchSpace } from './scratch-space.ts'
import { forgetState, load, store } from './stored-values.ts'

const maxYulDepth = budget.depth.yulCalls
const maxCases = budget.work.yulCases

export const lowerAssembly = (to: Builder, statement: ast.AssemblyStatement): void => {
  if (!statement.legacy) {
    new YulLowering(to).block(statement.body)
    return
  }
  to.emit('opaque', statement, 'legacy assembly', [])
  forgetState(to)
  for (let i = 0; i < to.env.length; i++) {
    if (to.env[i] !== undefined) to.setSlot(i, to.unknown('legacy assembly', statement))
  }
}

const operators: ReadonlyMap<string, string> = new Map([
  ['add', '+'],
  ['sub', '-'],
  ['mul', '*'],
  ['div', '/'],
  ['sdiv', '/'],
  ['mod', '%'],
  ['smod', '%'],
  ['exp', '**'],
  ['lt', '<'],
  ['gt', '>'],
  ['slt', '<'],
  ['sgt', '>'],
  ['eq', '=='],
  ['and', '&'],
  ['or', '|'],
  ['xor', '^'],
])

const environments: ReadonlyMap<string, string> = new Map([
  ['caller', 'msg.sender'],
  ['callvalue', 'msg.value'],
  ['calldatasize', 'msg.data.length'],
  ['origin', 'tx.origin'],
  ['gasprice', 'tx.gasprice'],
  ['timestamp', 'block.timestamp'],
  ['number', 'block.number'],
  ['coinbase', 'block.coinbase'],
  ['difficulty', 'block.difficulty'],
  ['prevrandao', 'block.prevrandao'],
  ['gaslimit', 'block.gaslimit'],
  ['basefee', 'block.basefee'],
  ['blobbasefee', 'block.blobbasefee'],
  ['chainid', 'block.chainid'],
  ['address', 'this'],
])

const calls: ReadonlyMap<string, FlowCallKind> = new Map<string, FlowCallKind>([
  ['call', 'lowlevel'],
  ['callcode', 'callcode'],
  ['delegatecall', 'delegate'],
  ['staticcall', 'static'],
])

class YulLowering {
  private readonly to: Builder
  private readonly functions: Map<string, ast.YulFunctionDefinition>[] = []
  private readonly active: ast.YulFunctionDefinition[] = []
  private scratch = new ScratchSpace()
  private depth = 0

  constructor(to: Builder) {
    this.to = to
  }

  block(block: ast.YulBlock): void {
    if (this.depth > budget.depth.yulNesting) return
    this.depth++
    const functions = new Map<string, ast.YulFunctionDefinition>()
    for (const s of block.statements) if (s.kind === 'YulFunctionDefinition') functions.set(s.name.name, s)
    this.functions.push(functions)
    const first = this.to.nextSlot
    for (const s of block.statements) {
      if (this.to.cur === null || !this.to.spend()) break
      this.statement(s)
    }
    this.to.hide(first, this.to.nextSlot)
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
          to.setLocal(variable, op)
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
        if (to.cur === null) return
        const before = to.fork(condition)
        const { scratch } = this
        this.scratch = scratch.copy()
        this.block(s.body)
        const taken = to.cur === null ? null : to.exit()
        this.scratch = taken === null ? scratch : new ScratchSpace()
        to.otherwise(before)
        meet(to, taken)
        return
      }
      case 'YulFor':
        for (const inner of s.init.statements) this.statement(inner)
        this.scratch = new ScratchSpace()
        this.loop(s)
        this.scratch = new ScratchSpace()
        return
      case 'YulSwitch': {
        const value = this.expr(s.value)
        this.scratch = new ScratchSpace()
        this.cases(s, value, 0)
        this.scratch = new ScratchSpace()
        return
      }
      case 'YulLeave':
        leaveLevel(to)
        return
      case 'YulBreak':
        leaveRound(to, true)
        return
      case 'YulContinue':
        leaveRound(to, false)
        return
      case 'YulExpressionStatement':
        this.values(s.expression)
        return
    }
  }

  private loop(s: ast.YulFor): void {
    const to = this.to
    if (to.cur === null) return
    const open = openLoop(to, s, assignedNames(s) ?? new Set())
    testLoop(to, open, this.expr(s.condition))
    enterBody(to, open)
    this.block(s.body)
    leaveBody(to, open)
    if (to.cur !== null) this.block(s.update)
    closeLoop(to, open)
  }

  private cases(s: ast.YulSwitch, value: Op, from: number): void {
    const to = this.to
    for (let i = from; i < s.cases.length; i++) {
      const one = s.cases[i]!
      if (one.value === null) {
        this.block(one.body)
        return
      }
      if (i > maxCases) continue
      const condition = to.bin('==', value, this.literal(one.value), one.value, true)
      if (to.cur === null) return
      const before = to.fork(condition)
      this.block(one.body)
      const taken = to.cur === null ? null : to.exit()
      to.otherwise(before)
      this.cases(s, value, i + 1)
      meet(to, taken)
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
      const place = value.kind === 'ref' && value.location !== null ? value.location : slotRoot(to, value)
      to.setSlot(slot, to.make('ref', target, '', [], place))
    } else if (member === undefined) to.setSlot(slot, value)
    else if (member === 'offset' || member === 'length') to.setSlot(slot, to.unknown('assembly', target, [value]))
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
    return to.local(decl) ?? to.unknown(first, path)
  }

  private solidityVariable(decl: VariableModel, member: string | undefined, path: ast.YulPath): Op {
    const to = this.to
    if (member === 'offset') return to.constant(0n, path)
    if (decl.role === 'state' && !decl.isConstant) {
      return to.make('ref', path, '', [], stateRoot(to, decl))
    }
    if (decl.isConstant || decl.role === 'constant') {
      const value = decl.value === null ? undefined : to.model.constantValue(decl.value)
      if (typeof value === 'bigint') return to.constant(value, path)
      return to.make('const', path, decl.name, [], null, null, false, null, decl)
    }
    const value = to.local(decl)
    if (value === undefined) return to.unknown(decl.name, path)
    if (member === 'length') return load(to, child(to, placeOfValue(to, value), 'length', '', null), path)
    if (member === 'slot' && value.kind !== 'ref') {
      return to.make('ref', path, '', [], placeOfValue(to, value))
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
    if (this.depth > budget.depth.yulNesting) return [this.to.unknown('nested too deeply', e)]
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
    const operator = operators.get(name)
    if (operator !== undefined) return [to.bin(operator, args[0]!, args[1]!, e, false)]
    const environment = environments.get(name)
    if (environment !== undefined) return [to.environment(environment, e)]
    const kind = calls.get(name)
    if (kind !== undefined) {
      this.scratch = new ScratchSpace()
      return [this.externalCall(e, kind, args)]
    }
    return this.instruction(e, name, args)
  }

  private ownFunction(fn: ast.YulFunctionDefinition, args: Op[], e: ast.YulCall): Op[] {
    const to = this.to
    if (this.active.includes(fn) || this.active.length > maxYulDepth || !to.spend()) {
      to.emit('opaque', e, 'recursion', args)
      forgetState(to)
      return fn.returns.map((r) => to.unknown('recursion', r))
    }
    this.active.push(fn)
    const values = this.run(fn, args)
    this.active.pop()
    return values
  }

  /** Runs a function of assembly in a frame of its own; `leave` ends it. */
  private run(fn: ast.YulFunctionDefinition, args: Op[]): Op[] {
    const to = this.to
    const params = fn.params.map((name) => this.declared(name))
    const returns = fn.returns.map((name) => this.declared(name))
    const { frame, env, isEnvShared, level, loop } = to
    to.frame = new Frame(to.vars.length, null)
    to.env = []
    to.isEnvShared = false
    to.loop = null
    for (let i = 0; i < params.length; i++) to.declare(params[i]!, args[i] ?? to.constant(0n, null))
    const firstReturn = to.nextSlot
    for (const name of returns) to.declare(name, to.constant(0n, null))
    const own = new Level(null, true)
    to.level = own
    this.block(fn.body)
    closeLevel(to, own)
    const values = to.cur === null ? [] : returns.map((_, i) => to.env[firstReturn + i] ?? to.constant(0n, null))
    to.vars.length = to.frame.base
    to.frame = frame
    to.env = env
    to.isEnvShared = isEnvShared
    to.level = level
    to.loop = loop
    return values
  }

  private declared(name: ast.Identifier): object {
    const decl = this.to.model.resolve(name)
    return decl === undefined || Array.isArray(decl) ? name : (decl as object)
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
    return lowLevelCall(to, e, kind, e.name.name, target, sent, all ? null : gas, input, 1)
  }

  private instruction(e: ast.YulCall, name: string, args: Op[]): Op[] {
    const to = this.to
    switch (name) {
      case 'sload':
      case 'tload':
        return [load(to, this.slot(args[0], e), e)]
      case 'sstore':
      case 'tstore':
        store(to, this.slot(args[0], e), args[1] ?? to.unknown('value', e), e)
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
        return [creation(to, e, null, args[0] ?? null, null, args.slice(1), true)]
      case 'selfdestruct':
      case 'suicide':
        to.emit('builtin', e, 'selfdestruct', args)
        to.end(e, 'halt', [])
        return []
      case 'revert':
      case 'invalid':
        to.revert(e, args)
        return []
      case 'return':
      case 'stop':
        to.end(e, 'halt', [])
        return []
      case 'pop':
        return []
      case 'mstore':
        if (args.length === 2) this.scratch.write(args[0]!, args[1]!)
        return [to.emit('builtin', e, name, args)]
      case 'calldatacopy':
        if (args.length === 3) this.scratch.write(args[0]!, args[1]!)
        return [to.emit('builtin', e, name, args)]
      case 'keccak256': {
        const words = args.length === 2 ? this.scratch.read(args[0]!, args[1]!) : []
        const behind = args.length === 2 ? this.scratch.readBehind(args[0]!, args[1]!) : []
        const hash = to.emit('builtin', e, name, [
          ...args,
          ...[...words, ...behind].filter(({ kind }) => kind !== 'const'),
        ])
        this.scratch.remember(hash, words)
        return [hash]
      }
      default:
        return [to.emit('builtin', e, name, args)]
    }
  }

  private slot(value: Op | undefined, e: ast.YulCall): Location {
    if (value !== undefined && value.kind === 'ref' && value.location !== null) return value.location
    const hashed = value === undefined ? null : this.scratch.hashedAs(value)
    if (hashed !== null) return mappingPlace(this.to, hashed.seed, hashed.keys)
    return slotRoot(this.to, value ?? this.to.unknown('slot', e), e.name.name[0] === 't')
  }
}
