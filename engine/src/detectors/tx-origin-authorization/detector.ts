import { isSender } from '../../facts/index.ts'
import { type Flow, type Location, type Op, oncePerPlace, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const isOrigin = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'tx.origin'
}

/**
 * `tx.origin == msg.sender` asks whether a contract is in between, `tx.origin == order.bringer` who may bring a message that
 * others have written: neither gives the origin's rights away.
 */
const comparesOrigin = (op: Op): boolean => {
  if (op.operator !== '==' && op.operator !== '!=') return false
  const [left, right] = op.args as [Op, Op]
  if (isOrigin(left)) return !isCaller(right) && !isOfMessage(right)
  return isOrigin(right) && !isCaller(left) && !isOfMessage(left)
}

/** Also where a helper finds it, one that chooses between two ways or that a missing base is known for. */
const isCaller = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'phi' || op.kind === 'select') return op.args.some((arg) => isSender(arg))
  return (
    isSender(op) ||
    (op.kind === 'call' && op.call!.name === '_msgSender' && op.args.every(({ kind }) => kind === 'unknown'))
  )
}

/** A field of a struct that was handed in. */
const isOfMessage = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'load' && op.location!.space === 'memory' && op.location!.part === 'field'
}

const isKeyedByOrigin = (op: Op): boolean => {
  for (let place: Location | null = op.location; place !== null; place = place.parent) {
    if (place.index !== null && isOrigin(place.index)) return !isPermitted(place)
  }
  return false
}

/** `mayBring[order.bringer][tx.origin]`: whom the one named in the message has allowed to bring it. */
const isPermitted = ({ parent }: Location): boolean =>
  parent !== null && parent.index !== null && isOfMessage(parent.index)

/** State looked up by the origin, and the answer decides a branch or a `require`. */
const decides = (flow: Flow, load: Op): boolean => {
  const seen = new Set<Op>()
  const work: Op[] = [load]
  while (work.length > 0) {
    const value = work.pop()!
    if (seen.has(value)) continue
    seen.add(value)
    if (flow.branchesOn(value).length > 0) return true
    for (const user of flow.usersOf(value)) {
      if (user.kind === 'assume') return true
      if (user.kind === 'bin' || user.kind === 'un' || user.kind === 'cast' || user.kind === 'phi') work.push(user)
    }
  }
  return false
}

const findDecisions = (flow: Flow, hits: Hit[]): void => {
  for (const op of flow.ops('bin')) {
    if (!comparesOrigin(op)) continue
    hits.push({ at: op, message: 'What the caller may do is decided by `tx.origin` here.', trace: flow.trace(op) })
  }
  for (const op of flow.ops('load')) {
    if (!isKeyedByOrigin(op) || !decides(flow, op)) continue
    hits.push({
      at: op,
      message: `What the caller may do is decided by \`${flow.describe(op.location!)}\` here.`,
      trace: flow.trace(op),
    })
  }
}

export default defineDetector({
  id: 'tx-origin-authorization',
  swc: 'SWC-115',
  title: 'Authorization via tx.origin',
  severity: 'high',
  confidence: 'high',
  description:
    '`tx.origin` is the account that started the transaction, not the one that calls. A privileged user who is lured into calling any malicious contract lends it every right that is granted by `tx.origin`.',
  recommendation: 'Compare `msg.sender`, the account that really calls.',
  references: [
    'https://swcregistry.io/docs/SWC-115',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#tx-origin',
  ],
  cwe: ['CWE-477', 'CWE-863'],

  run(context) {
    const hits: Hit[] = []
    for (const flow of context.functions)
      if (!flow.isConstructor && flow.usesEnvironment('tx.origin')) findDecisions(flow, hits)
    return oncePerPlace(hits)
  },
})
