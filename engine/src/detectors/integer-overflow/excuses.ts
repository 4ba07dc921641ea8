import { isChosenByRole, isSender } from '../../facts/index.ts'
import {
  canBeMadeToWrap,
  initializer,
  isConserved,
  isHarmless,
  isMeantToWrap,
  isOnlyReadAs,
  isTestedBeforeCall,
  keysOf,
  loweredBy,
  undone,
  unreachable,
} from '../../idioms/index.ts'
import {
  type BinaryOp,
  type ContractFlow,
  type Flow,
  isEquality,
  type Location,
  type Op,
  stripCasts,
} from '../../ir/index.ts'
import { excuse } from '../define-detector.ts'
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
  ofOpen('harmless', 'nothing of value depends on the result', isHarmless),
  ofBoth('out-of-reach', 'no reachable input leaves the range', (flow, op) => canBeMadeToWrap(flow, op) === 'no'),
  initializer,
  undone,
  unreachable,
  ofUnchecked('by-role', 'only a privileged role chooses the number', isChosenByRole),
  ofBoth('conserved', 'the amount is moved between accounts, and the sum existed before', isConserved),
  ofOpen('own-allowance', 'the caller only lowers what they let another account spend', isOwnAllowance),
  ofBoth('tested-before-call', 'a later call fails unless the numbers are in range', isTestedBeforeCall),
]

/** `allowed[msg.sender][spender] += more`, of which `spender` takes: past the end of the range it is less than the caller gave. */
function isOwnAllowance(flow: Flow, op: BinaryOp): boolean {
  const store = op.operator === '+' ? flow.stateStores().find(({ args }) => stripCasts(args[0]) === op) : undefined
  const [spender, owner] = store === undefined ? [] : keysOf(store.location).map(stripCasts)
  if (owner === undefined || !isSender(owner) || spender?.kind !== 'param') return false
  return flow.contractFlow.answerAt(store!.location, isTakenBySpender)
}

const isTakenBySpender = (contractFlow: ContractFlow, place: Location): boolean =>
  contractFlow.writersTo(place).some(({ op }) => {
    const [spender, owner] = keysOf(op.location)
    return loweredBy(op) !== null && owner !== undefined && isSender(spender!) && !isSender(owner)
  })

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
