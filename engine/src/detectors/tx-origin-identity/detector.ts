import { guardsAt } from '../../facts/index.ts'
import { type Flow, type Location, type Op, oncePerPlace, type Site, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isOrigin = (value: Op | null): boolean => {
  if (value === null) return false
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'tx.origin'
}

const isKeyedByOrigin = (op: Op): boolean => {
  for (let place: Location | null = op.location; place !== null; place = place.parent) {
    if (place.index !== null && isOrigin(place.index)) return true
  }
  return false
}

/** How an operation takes the origin for somebody; null when it does not. */
const identityIn = (op: Op): string | null => {
  switch (op.kind) {
    case 'store':
      if (isKeyedByOrigin(op)) return 'State is kept for `tx.origin` instead of `msg.sender`.'
      return op.location!.space !== 'memory' && isOrigin(op.args[0]!)
        ? '`tx.origin` is stored as if it were the caller.'
        : null
    case 'call': {
      const info = op.call!
      if (isOrigin(info.target)) return 'The call goes to `tx.origin`, which need not be the caller.'
      return op.args.some(isOrigin) && op.operator !== 'modifier'
        ? '`tx.origin` is passed on as if it were the caller.'
        : null
    }
    default:
      return null
  }
}

const isInside = (op: Op, calls: ReadonlySet<Op>): boolean => {
  for (let site: Site | null = op.site; site !== null; site = site.parent) {
    if (site.call !== null && calls.has(site.call)) return true
  }
  return false
}

/** On the way that the origin was turned away: it is named in an error. */
const isRefusal = (flow: Flow, op: Op): boolean =>
  op.kind === 'call' &&
  op.call!.kind !== 'external' &&
  guardsAt(flow, op).some(
    ({ condition, polarity }) =>
      condition.kind === 'bin' &&
      (condition.operator === '!=' || condition.operator === '==') &&
      (condition.operator === '!=') === polarity &&
      condition.args.some(isOrigin),
  )

const findIdentities = (flow: Flow, hits: Hit[]): void => {
  const reported = new Set<Op>()
  const ops = [...flow.ops('call'), ...flow.ops('store')].sort((a, b) => a.id - b.id)
  for (const op of ops) {
    const message = identityIn(op)
    // What a callee does with the origin it was handed has been said at the call.
    if (message === null || isInside(op, reported) || isRefusal(flow, op)) continue
    if (op.kind === 'call') reported.add(op)
    hits.push({ at: op, message, trace: flow.trace(op) })
  }
}

export default defineDetector({
  id: 'tx-origin-identity',
  swc: 'SWC-114',
  title: 'tx.origin taken for the caller',
  severity: 'high',
  confidence: 'medium',
  description:
    '`tx.origin` is stored, used as a key or handed on as if it were the caller. Whoever is lured into calling a malicious contract acts, pays or receives here without wanting to, and contracts that call get nothing.',
  recommendation: 'Use `msg.sender`, or take the account as an argument that the caller has to be entitled to.',
  references: [
    'https://swcregistry.io/docs/SWC-115',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#tx-origin',
  ],
  cwe: ['CWE-477', 'CWE-290'],
  yieldsTo: ['tx-origin-authorization'],

  run(context) {
    const hits: Hit[] = []
    // The deployer may well be meant by its origin: a factory stands in between.
    for (const flow of context.functions)
      if (!flow.isConstructor && flow.usesEnvironment('tx.origin')) findIdentities(flow, hits)
    return oncePerPlace(hits)
  },
})
