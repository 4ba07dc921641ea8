import {
  dependsOn,
  everyPart,
  guardsAt,
  isProtected,
  isReserved,
  isSender,
  runsOnce,
  Source,
  taintOf,
} from '../../facts/index.ts'
import {
  type Column,
  columnOf,
  describeCaller,
  isForCaller,
  isInColumn,
  keptIn,
  keysOf,
  outgoingOf,
  paymentsOf,
  witnessStep,
} from '../../idioms/index.ts'
import {
  type Access,
  type CallOp,
  type ContractFlow,
  type Flow,
  type Location,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { defineDetector, excuse } from '../define-detector.ts'

interface ReplacedPrice {
  readonly flow: Flow
  /** What the caller receives, or pays for an offer. */
  readonly send: CallOp
  readonly price: Location
  readonly setter: Access<'store'>
  readonly isOffer: boolean
}

/** Where another function stores what its caller says. */
const setterOf = (contractFlow: ContractFlow, { variable }: Location): Access<'store'> | undefined =>
  variable === null ? undefined : contractFlow.writersOf(variable).find(replaces)

/** The amount itself, or a factor of it, that lies in a variable of its own. */
const priceIn = (value: Op): Location | null => {
  const op = stripCasts(value)
  if (op.kind === 'load') return op.location.space === 'state' && op.location.part === 'root' ? op.location : null
  if (op.kind !== 'bin') return null
  if (op.operator === '*') return priceIn(op.args[0]) ?? priceIn(op.args[1])
  return op.operator === '/' ? priceIn(op.args[0]) : null
}

/** A function that callers see stores a number of its caller there, whatever was there before, and can do so again. */
const replaces = ({ flow, op }: Access<'store'>): boolean => {
  const bits = taintOf(flow, op.args[0])
  if (!flow.isEntryPoint || (bits & (Source.param | Source.value)) === 0 || (bits & Source.state) !== 0) return false
  return !runsOnce(flow, op)
}

/** The terms of an offer that the caller names, and pays for in tokens that were approved before. */
function* offersIn(flow: Flow): Iterable<ReplacedPrice> {
  for (const { op: send, from, amount } of paymentsOf(flow)) {
    if (from === null || !isSender(from)) continue
    const found = everyPart(flow, amount)
      .map((part) => amendedTerm(flow, part))
      .find((term) => term !== null)
    if (found !== undefined && found !== null) yield { flow, send, ...found, isOffer: true }
  }
}

/** What the record says, also where it was copied to memory. */
const amendedTerm = (flow: Flow, part: Op): Pick<ReplacedPrice, 'price' | 'setter'> | null => {
  const kept = part.kind === 'load' ? keptIn(part) : null
  const column = kept === null || !isNamed(kept.place) ? null : columnOf(kept.place)
  if (kept === null || column === null) return null
  const setter = amenderOf(flow.contractFlow, { ...column, path: column.path + kept.path })
  return setter === undefined || setter.flow === flow ? null : { price: setter.op.location, setter }
}

/** `orders[id].price`, where the caller passes the id. */
const isNamed = (place: Location): boolean => {
  const keys = keysOf(place)
  return keys.length > 0 && keys.every((key) => stripCasts(key).kind === 'param')
}

/** Where the account that made an offer changes its terms. */
const amenderOf = (contractFlow: ContractFlow, column: Column): Access<'store'> | undefined =>
  contractFlow
    .writersOf(column.variable)
    .find(
      (access) =>
        isInColumn(access.op.location, column) &&
        isNamed(access.op.location) &&
        replaces(access) &&
        !isProtected(access.flow, access.op) &&
        isMaker(access, column),
    )

/** The record says who may change it. */
const isMaker = ({ flow, op }: Access<'store'>, { variable }: Column): boolean =>
  guardsAt(flow, op).some(
    ({ condition }) =>
      condition.kind === 'bin' &&
      condition.args.some((side) => isSender(stripCasts(side))) &&
      dependsOn(flow, condition, (part) => part.kind === 'load' && part.location.variable === variable),
  )

/** The same field of the same kind of record. */
const isSameTerm = (load: Op, price: Location): boolean => {
  const kept = keptIn(load)
  const column = kept === null ? null : columnOf(kept.place)
  const term = columnOf(price)
  return column !== null && column.variable === term?.variable && column.path + kept!.path === term.path
}

/** A condition holds the price, or what follows from it, against something that the caller said. */
const isExpected = ({ flow, send, price, isOffer }: ReplacedPrice): boolean =>
  guardsAt(flow, send).some(
    ({ condition }) =>
      condition.kind === 'bin' &&
      (taintOf(flow, condition) & (Source.param | Source.value)) !== 0 &&
      dependsOn(
        flow,
        condition,
        (op) => op.kind === 'load' && (isOffer ? isSameTerm(op, price) : op.location === price),
      ),
  )

const movesAssets = (flow: Flow): boolean => paymentsOf(flow).length > 0

const offer = {
  severity: 'medium' as const,
  confidence: 'medium' as const,
  title: 'Front-running: offer changed before it is taken',
  recommendation: 'Let the buyer pass the price and amount they agreed to, and revert if the offer says otherwise.',
}

export default defineDetector<ReplacedPrice>({
  id: 'replaced-price',
  formerly: 'transaction-order',
  swc: 'SWC-114',
  title: 'Front-running: price changed before a sale',
  aliases: {
    scwe: ['SCWE-037', 'SCWE-052'],
    words: ['price front-running', 'transaction order dependence', 'slippage'],
  },
  severity: 'high',
  confidence: 'low',
  description:
    'What the caller receives depends on a price that another function can replace. The account that sets the price sees the sale in the mempool and changes it first; the caller cannot state the price they expect.',
  recommendation: 'Let callers pass a minimum amount (slippage limit) and revert if they would receive less.',
  references: [
    'https://swcregistry.io/docs/SWC-114',
    'https://docs.soliditylang.org/en/latest/security-considerations.html',
  ],
  cwe: ['CWE-362'],
  yieldsTo: ['tx-origin-authorization'],

  needs: [movesAssets],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints)
      for (const { op: send, amount } of outgoingOf(flow).filter(isForCaller)) {
        const price = priceIn(amount)
        const setter = price === null ? undefined : flow.contractFlow.answerAt(price, setterOf)
        if (price !== null && setter !== undefined) yield { flow, send, price, setter, isOffer: false }
      }
    for (const flow of entryPoints) yield* offersIn(flow)
  },

  excuses: [
    excuse('reserved', 'only privileged accounts, who know the price, get there', ({ flow, send }) =>
      isReserved(flow, send),
    ),
    excuse('expected', 'the caller states the expected amount, and less reverts', isExpected),
  ],

  finding: ({ flow, send, price, setter, isOffer }) => {
    const terms = flow.describe(price)
    const changer = `\`${setter.flow.name}()\``
    if (isOffer)
      return {
        ...offer,
        at: send,
        message: `\`${flow.name}()\` charges the caller \`${terms}\`, which the account that made the offer can change with ${changer} just before; the caller does not state the price they agreed to.`,
        trace: [
          witnessStep(flow, send, 'pays a price they never saw', 'A buyer'),
          { at: setter.op, message: `${changer} changes \`${terms}\` here.` },
        ],
      }
    return {
      at: send,
      message: `\`${price.variable!.name}\` decides what a caller of \`${flow.name}()\` receives, and ${describeCaller(setter.flow, setter.op)} can change it with ${changer} just before (front-running).`,
      trace: [
        witnessStep(flow, send, 'receives less than quoted after a front-run price change', 'A user'),
        { at: setter.op, message: `${changer} replaces \`${price.variable!.name}\` here.` },
      ],
    }
  },
})
