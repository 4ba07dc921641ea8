/** Places and values in words, as near to the source as can be. */
import type { Model } from '../model/index.ts'
import type { Expression, Span } from '../syntax/index.ts'
import type { CallOp, Location, Op } from './ir.ts'
import { stripCasts } from './values.ts'

/** `balances[msg.sender]` */
export const describeLocation = (model: Model, location: Location): string => {
  const parts: string[] = []
  for (let at: Location | null = location; at !== null; at = at.parent) {
    if (at.part === 'root') parts.push(at.variable?.name ?? describeBase(at))
    else if (at.part === 'field') parts.push(`.${at.name}`)
    else if (at.part === 'length') parts.push('.length')
    else if (at.part === 'any') parts.push('[…]')
    else parts.push(`[${describeValue(model, at.index!)}]`)
  }
  const [root, field, ...rest] = parts.reverse()
  // A struct at a slot of its own has no name, its fields have.
  return root === nameless && field?.startsWith('.') ? [field.slice(1), ...rest].join('') : parts.join('')
}

const nameless = 'storage slot'

/** A computed slot has an operator, `<<`, and no name. */
const describeBase = ({ base, space }: Location): string => {
  if (base !== null && /^\w/.test(base.operator)) return base.operator
  return space === 'slot' ? nameless : 'memory'
}

/** Addresses as they are written in code, hashes by their beginning, other numbers in decimal. */
const describeConstant = (value: bigint): string => {
  if (value < 1n << 128n) return value.toString()
  if (value < 1n << 160n) return `0x${value.toString(16).padStart(40, '0')}`
  return `0x${value.toString(16).padStart(64, '0').slice(0, 8)}…`
}

/** `x.sub(y)` where it is called: in the body of the library the parameters have other names. */
const writtenAt = ({ node, site }: Op): Op['node'] | Span => {
  let written: Op['node'] | Span = node
  for (
    let at = site;
    at !== null && at.fn.kind === 'function' && at.fn.contract?.contractKind === 'library';
    at = at.parent
  )
    written = at.at
  return written
}

export const describeValue = (model: Model, value: Op): string => {
  const op = stripCasts(value)
  if (op.kind === 'const') return op.constant === null ? op.operator : describeConstant(op.constant)
  if (op.kind === 'param' || op.kind === 'env' || op.kind === 'phi') return op.operator || '…'
  const node = writtenAt(op)
  // A long expression is not even read: of ten thousand sums in one another each would be.
  if (node !== null && node.end - node.start <= 200) {
    const file = model.fileAt(node.start)
    const source = file?.excerpt(node) ?? ''
    if (source !== '' && source.length <= 40 && !source.includes('.push(')) return source
  }
  return '…'
}

/** A piece of code as it is written there, for messages about that very place; null where it is too long to quote. */
export const quoteSource = (model: Model, span: Span | null, max = 60): string | null => {
  if (span === null || span.end - span.start > 4 * max) return null
  const source = model.fileAt(span.start)?.excerpt(span).trim() ?? ''
  return source === '' || source.length > max ? null : source
}

/** `router` of `router.swap()`, a local as a reader sees it; in a library the parameters have other names than where it is called. */
const writtenReceiver = (model: Model, { node, site, call: { target } }: CallOp): string | null => {
  if (target === null || site?.fn.contract?.contractKind === 'library') return null
  const written = node as Expression | null
  const callee = written?.kind === 'Call' ? written.callee : null
  const receiver = callee?.kind === 'Member' ? quoteSource(model, callee.object, 40) : null
  return receiver !== null && /^[\w.]+$/.test(receiver) ? receiver : null
}

/** `token.transferFrom()`, `_safeMint()` */
export const describeCall = (model: Model, op: CallOp): string => {
  const { target, name } = op.call
  const receiver = writtenReceiver(model, op) ?? (target === null ? '…' : describeValue(model, target))
  return receiver === '…' ? `${name}()` : `${receiver}.${name}()`
}
