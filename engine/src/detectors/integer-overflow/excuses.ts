import {
  dependsOn,
  exactBounds,
  guardsAt,
  type Interval,
  intervalOf,
  isChosenByRole,
  rangeOf,
  usesOf,
} from '../../facts/index.ts'
import {
  canBeMadeToWrap,
  incomingOf,
  initialiser,
  isConserved,
  isHarmless,
  isMeantToWrap,
  isOnlyReadAs,
  isPlace,
  isTestedBeforeCall,
  keysOf,
  undone,
} from '../../idioms/index.ts'
import { type BinaryOp, type Flow, isEquality, isOne, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import { excuse } from '../define-detector.ts'
import { isCountOfRecords } from './counted-records.ts'
import { isOwnLoop } from './endless.ts'
import type { Overflow } from './overflow.ts'

type Holds = (flow: Flow, op: BinaryOp) => boolean

/** For some flaws alone. */
const of =
  (...flaws: readonly Overflow['flaw'][]) =>
  (name: string, sentence: string, holds: Holds) =>
    excuse<Overflow>(name, sentence, ({ flow, op, flaw }) => flaws.includes(flaw) && holds(flow, op))

const ofOpen = of('open')
const ofUnchecked = of('unchecked')
const ofBoth = of('open', 'unchecked')

/** Why nobody brings it about, or why nothing follows from it. */
export const excuses = [
  excuse<Overflow>('only-shown', 'the function returns text that is not used in calculations', ({ flow }) =>
    isOnlyShown(flow),
  ),
  ofOpen('only-equated', 'it is only an equality comparison, which does not depend on order', isOnlyEquated),
  ofOpen('only-a-name', 'it only names a mapping key or an account', isOnlyName),
  ofOpen('meant-to-wrap', 'only differences of it are used, which stay correct after wrapping', isMeantToWrap),
  ofOpen(
    'counted-before',
    'it decrements a counter that was incremented when the owner received the item',
    isCountOfOwned,
  ),
  ofOpen(
    'one-of-the-records',
    'it counts records, incremented on creation and decremented on removal',
    isCountOfRecords,
  ),
  ofOpen('of-token-named', 'it is stored under the token that the caller names and pays in', isOfTokenNamed),
  ofOpen('own-token', 'it derives from a token of the caller’s choice and only affects that token', isOwnToken),
  ofOpen('unit-of-new', 'it is the unit of a contract created for the caller and only used there', isUnitOfNew),
  of('endless')('own-loop', 'the caller who sets the number of rounds pays for them in the same call', isOwnLoop),
  ofOpen('harmless', 'nothing of value depends on the result', isHarmless),
  ofBoth('out-of-reach', 'no reachable input leaves the range', (flow, op) => canBeMadeToWrap(flow, op) === 'no'),
  initialiser,
  undone,
  ofUnchecked('by-role', 'only a privileged role chooses the number', isChosenByRole),
  ofBoth('conserved', 'the amount is moved between accounts, and the sum existed before', isConserved),
  ofBoth('tested-before-call', 'a later call fails unless the numbers are in range', isTestedBeforeCall),
]

/** Reads, and answers with text. */
const isOnlyShown = ({ isEntryPoint, kind, fn }: Flow): boolean => {
  if ((!isEntryPoint && kind !== 'library') || fn === null || (fn.mutability !== 'view' && fn.mutability !== 'pure'))
    return false
  return fn.returns.length > 0 && fn.returns.every(({ type }) => type.kind === 'string' || type.kind === 'bytes')
}

/** `prices[id - 1]`: one that nobody has written is empty, wherever it lies. */
function isOnlyName(flow: Flow, op: Op): boolean {
  if (isOnlyAccount(flow, op)) return true
  if (!flow.isIndex(op)) return false
  const isKey = (user: Op): boolean =>
    user.kind === 'load' || (user.kind === 'store' && stripCasts(user.args[0]) !== op) || isInlinedCall(user)
  if (!flow.usersOf(op).every(isKey)) return false
  return flow.ir.locations.every(
    ({ index, parent }) => index === null || stripCasts(index) !== op || parent?.type?.kind === 'mapping',
  )
}

/** `address(uint160(account) + offset)`: what is left of the sum past the end of the range names another account, as any other number does. */
const isOnlyAccount = (flow: Flow, op: Op): boolean => isOnlyReadAs(flow, op, (type) => type?.kind === 'address')

const isInlinedCall = ({ kind, call }: Op): boolean => kind === 'call' && call.inlined

/** `index == count - 1`, also `((n - 1) & n) == 0`: bits have no order either. */
function isOnlyEquated(flow: Flow, op: Op, depth = 0): boolean {
  const users = flow.usersOf(op).filter(({ kind }) => kind !== 'cast')
  return (
    users.length > 0 &&
    users.every(
      (user) =>
        user.kind === 'bin' &&
        (isEquality(user.operator) || (user.operator === '&' && depth === 0 && isOnlyEquated(flow, user, depth + 1))),
    )
  )
}

/** `incentives[hash of the token and more].due += amount`, with `amount` of that token brought in: who makes up a token deceives those who take it. */
function isOfTokenNamed(flow: Flow, { operator, args }: BinaryOp): boolean {
  if (operator !== '+') return false
  const place = args.map(stripCasts).find(isPlace)?.location
  if (place === undefined) return false
  return incomingOf(flow).some(({ token, amount }) => {
    const named = token === null ? null : givenFor(stripCasts(token))
    if (named === null || !args.some((arg) => sameValue(arg, amount))) return false
    return keysOf(place).some((key) => dependsOn(flow, key, (part) => part === named))
  })
}

/** What a token answers that nobody has made up for the purpose. */
const honest: Interval = { min: 0n, max: (1n << 128n) - 1n }

/**
 * `fee = token.balanceOf(address(this)) * bips / 10000`, where the function does nothing but tell `token` to move something. With an
 * honest token it has to fit whatever else the caller chooses: such a token belongs to others too.
 */
function isOwnToken(flow: Flow, op: BinaryOp): boolean {
  const { args } = op
  const asked = args.map(stripCasts).find(({ kind, call }) => kind === 'call' && call?.kind === 'external')
  const token = asked?.call?.target == null ? null : stripCasts(asked.call.target)
  if (token?.kind !== 'param' || flow.stateStores().length > 0) return false
  const [a, b] = args.map((arg) => (stripCasts(arg) === asked ? honest : intervalOf(flow, arg, op))) as [
    Interval,
    Interval,
  ]
  const result = exactBounds(op.operator, a, b)
  const range = rangeOf(flow.typeOf(op))
  if (result === null || result.min < range.min || result.max > range.max) return false
  return flow
    .externalCalls()
    .every(({ call }) => call.target !== null && sameValue(call.target, token) && call.value === null)
}

/** `new Token(decimals, 10 ** decimals)` */
function isUnitOfNew(flow: Flow, op: BinaryOp): boolean {
  const [base, exponent] = op.args.map(stripCasts) as [Op, Op]
  if (op.operator !== '**' || base.kind !== 'const' || exponent.kind !== 'param') return false
  let isTold = false
  const passesOn = ({ kind }: Op): boolean => kind === 'cast' || kind === 'select' || kind === 'phi'
  for (const { user } of usesOf(flow, op, passesOn)) {
    if (user === null) return false
    if (passesOn(user)) continue
    if (user.kind !== 'call' || user.call.kind !== 'create' || user.call.value !== null) return false
    if (!user.args.some((arg) => stripCasts(arg) === exponent)) return false
    isTold = true
  }
  return isTold
}

/** What the caller hands in to name a token: the address, or a struct that holds it. */
const givenFor = (token: Op): Op | null => {
  const given = token.kind === 'load' && token.location.space === 'memory' ? token.location.base : token
  return given !== null && stripCasts(given).kind === 'param' ? stripCasts(given) : null
}

/** `count[who] -= 1` where something that was required to belong to `who` gets another owner. */
function isCountOfOwned(flow: Flow, { operator, args }: BinaryOp): boolean {
  const [count, step] = args.map(stripCasts) as [Op, Op]
  const who = operator === '-' && isOne(step) && isPlace(count) ? (count.location?.index ?? null) : null
  if (who === null) return false
  return guardsAt(flow, count).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || !isEquality(condition.operator) || (condition.operator === '==') !== polarity)
      return false
    const owned = condition.args.map(stripCasts).find((side) => isPlace(side) && side.location?.index != null)
    if (owned === undefined || !condition.args.some((side) => sameValue(side, who))) return false
    return flow.stateStores().some((store) => store.location === owned.location)
  })
}
