import { guardsAt, isProtected, isSender } from '../../facts/index.ts'
import { isMessageValue, keysOf, type Payment, paymentsOf, witnessStep } from '../../idioms/index.ts'
import { type Flow, holding, isComparison, isZero, type LoadOp, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface Candidate {
  readonly flow: Flow
  readonly given: Payment
  /** Its price, stored under an id that the caller names. */
  readonly price: LoadOp
  readonly condition: Op
}

/** `msg.value >= price[id]`, where anyone who calls names the id. */
const priceIn = (condition: Op): LoadOp | null => {
  if (condition.kind !== 'bin' || !isComparison(condition.operator)) return null
  const sides = condition.args.map(stripCasts)
  const price = sides.find((side) => side.kind === 'load' && side.location.space === 'state')
  if (price?.kind !== 'load' || !sides.some(isMessageValue)) return null
  return keysOf(price.location).some(({ kind }) => kind === 'param') ? price : null
}

/** What is someone else's goes to the caller: tokens of another account, or what the contract keeps for others. */
const isOthers = ({ asset, from, to }: Payment): boolean =>
  asset === 'token' && to !== null && isSender(to) && (from === null || !isSender(from))

/** `price[id] > 0`, `seller[id] != address(0)`, `isListed[id]`: an ID that was never listed is refused. */
const isListed = (flow: Flow, given: Payment, price: LoadOp): boolean => {
  const ids = keysOf(price.location).filter(({ kind }) => kind === 'param')
  const isRecord = (op: Op): boolean => {
    const side = stripCasts(op)
    return (
      side.kind === 'load' && side.location.space === 'state' && keysOf(side.location).some((id) => ids.includes(id))
    )
  }
  return guardsAt(flow, given.op).some(({ condition, polarity }) => {
    const op = stripCasts(condition)
    if (op.kind !== 'bin') return polarity && isRecord(op)
    const [left, right] = op.args
    if (op.operator === (polarity ? '>' : '<=')) return isRecord(left) && isZero(right)
    if (op.operator === (polarity ? '<' : '>=')) return isZero(left) && isRecord(right)
    return op.operator === (polarity ? '!=' : '==') && op.args.some(isZero) && op.args.some(isRecord)
  })
}

export default defineDetector<Candidate>({
  id: 'unset-price',
  swc: null,
  title: 'Default price of zero accepted',
  aliases: { owasp: ['SC04:2025', 'SC03:2025'], words: ['zero price', 'free NFT', 'unlisted item', 'default value'] },
  severity: 'high',
  confidence: 'medium',
  description:
    'The payment is compared with a price stored under an ID, and the price of an unlisted ID is zero. An attacker names such an ID and gets the item for free.',
  recommendation: 'Require a listing: a price above zero or a recorded seller.',
  references: ['https://cwe.mitre.org/data/definitions/1188.html'],
  cwe: ['CWE-1188', 'CWE-754'],

  needs: [holding.assumption, holding.foreignCall],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      if (!flow.isPayable) continue
      for (const given of paymentsOf(flow)) {
        if (!isOthers(given)) continue
        for (const { condition } of guardsAt(flow, given.op)) {
          const price = priceIn(stripCasts(condition))
          if (price !== null && !isListed(flow, given, price)) yield { flow, given, price, condition }
        }
      }
    }
  },
  excuses: [excuse('protected', 'only privileged accounts buy', ({ flow, given }) => isProtected(flow, given.op))],
  finding: ({ flow, given, price, condition }) => ({
    at: condition,
    message: `\`${flow.describe(price.location)}\` is zero for an ID that was never listed, so an attacker who calls \`${flow.name}()\` with such an ID receives a token without paying.`,
    trace: [
      witnessStep(flow, condition, 'passes an ID without a listing and pays nothing'),
      ...flow.trace(condition),
      { at: given.op, message: 'The token is transferred to the caller here.' },
    ],
  }),
})
