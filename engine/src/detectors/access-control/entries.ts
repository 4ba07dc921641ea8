/** Entries of others are lowered or rewritten, or one is raised for nothing, by anyone who calls. */
import { dependsOn, guardsAt, isCallersNumber, isCleared, isSender } from '../../facts/index.ts'
import {
  columnOf,
  entriesOf,
  hasIncomingPayment,
  isColumnPaidFrom,
  keysOf,
  loweredBy,
  nameOfColumn,
  raisedBy,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  describeValue,
  type Flow,
  groupBy,
  type LoadOp,
  mayOverlap,
  type Op,
  type StoreOp,
} from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { type Candidate, isNamed } from './candidate.ts'
import { isAllowance } from './open-settings.ts'
import { othersRecords } from './others-records.ts'

/** The entry of an account that the caller names is lowered, by as much as the caller says. */
export function* takenFromOthers(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const amount = loweredBy(op)
    const keys = amount === null ? [] : keysOf(op.location)
    const account = keys.find((key) => isNamed(flow, key))
    if (account === undefined || keys.some(isSender) || !(amount!.kind === 'const' || isCallersNumber(flow, amount!)))
      continue
    const column = columnOf(op.location)
    const name = column === null ? 'the balance' : `\`${nameOfColumn(column)}\``
    const message = `Anyone can call \`${flow.name}()\` and reduce ${name} of any account without its approval.`
    yield { flow, op, account, amount, message, gain: `reduces ${name} of another account` }
  }
}

/** `balances[ownerOf[id]] -= 1` for an id that the caller names: the account on record is debited, and nothing but its record is looked at. */
export function* takenFromHolders(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const amount = loweredBy(op)
    const keys = amount === null ? [] : keysOf(op.location)
    const holder = keys.find((key): key is LoadOp => isHolder(flow, key))
    if (holder === undefined || keys.some(isSender) || !(amount!.kind === 'const' || isCallersNumber(flow, amount!)))
      continue
    const isOther = (part: Op): boolean =>
      part.kind === 'load' ? part.location !== holder.location && part.location !== op.location : decides.has(part.kind)
    if (hasIncomingPayment(flow) || guardsAt(flow, op).some(({ condition }) => dependsOn(flow, condition, isOther)))
      continue
    const name = nameOfColumn(columnOf(op.location)!)
    const record = describeValue(flow.model, keysOf(holder.location)[0]!)
    const message = `Anyone can call \`${flow.name}()\` for any \`${record}\` and reduce \`${name}\` of the account recorded for it without its approval.`
    yield { flow, op, account: holder, amount, message, gain: `reduces \`${name}\` of another account` }
  }
}

/** Whose say a condition may rest on besides the record: the sender's, another contract's, the clock's. */
const decides: ReadonlySet<Op['kind']> = new Set(['env', 'call', 'unknown', 'builtin'])

/** The account that stands on record under what the caller names. */
const isHolder = (flow: Flow, key: Op): key is LoadOp => {
  if (key.kind !== 'load' || key.location.space !== 'state' || key.location.type?.kind !== 'address') return false
  const ids = keysOf(key.location)
  return ids.length > 0 && ids.every((id) => id.kind === 'param' && isCallersNumber(flow, id))
}

/** `held[who] = 0`, and what was held there is at most reported, or taken off a total too: the account has lost it. */
export function* wipedForOthers(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const keys = isCleared(op) ? keysOf(op.location) : []
    const account = keys.find((key) => isNamed(flow, key))
    const column = account === undefined || keys.some(isSender) ? null : columnOf(op.location)
    if (column === null || !isColumnPaidFrom(flow, column)) continue
    const reads = flow.answer(readsByVariable).get(column.variable) ?? []
    if (reads.some((read) => mayOverlap(read.location, op.location) && !isOnlyTakenOff(flow, read))) continue
    const message = `\`${flow.name}()\` lets any caller clear the balance of an account they choose, so that account loses its payout.`
    yield { flow, op, account: account!, amount: null, message, gain: 'deletes the payout of another account' }
  }
}

const isOnlyTakenOff = (flow: Flow, read: LoadOp): boolean =>
  !flow.isCondition(read) &&
  flow.usersOf(read).every((user) => {
    if (user.kind === 'emit') return true
    const isTaken = user.kind === 'bin' && user.operator === '-' && user.args[1] === read
    return isTaken && flow.usersOf(user).every(({ kind }) => kind === 'store')
  })

const readsByVariable = (flow: Flow): ReadonlyMap<VariableModel | null, readonly LoadOp[]> =>
  groupBy(flow.stateLoads(), ({ location }) => location.variable)

/** A number is added to an entry for which nobody gives anything, and entries are paid out, or others' entries are worth less by it. */
export function* creditedForNothing(flow: Flow): Iterable<Candidate> {
  for (const op of flow.stateStores()) {
    const amount = raisedBy(op)
    if (amount === null || keysOf(op.location).length === 0 || !isCallersNumber(flow, amount)) continue
    const column = columnOf(op.location)
    if (column === null || isOwnAllowance(flow, op)) continue
    const name = nameOfColumn(column)
    if (isColumnPaidFrom(flow, column))
      yield {
        flow,
        op,
        account: null,
        amount,
        message: `Anyone can call \`${flow.name}()\` and increase \`${name}\` without paying; it is paid out, so an attacker can drain the contract.`,
        gain: `increases \`${name}\`, to withdraw it later`,
      }
    else if (isIssued(flow, amount) && isPassedOn(flow, column.variable))
      yield {
        flow,
        op,
        account: null,
        amount,
        message: `Anyone can call \`${flow.name}()\` and increase \`${name}\` by any amount without paying, so an attacker mints unbacked tokens.`,
        gain: 'mints tokens without paying',
      }
  }
}

/** Callers who let others spend more of what is theirs. */
const isOwnAllowance = (flow: Flow, { location }: StoreOp): boolean =>
  keysOf(location).some(isSender) && isAllowance(flow, location)

/** The same number is added to a total: it is new, nobody loses it. */
const isIssued = (flow: Flow, amount: Op): boolean => flow.answer(addedToTotals).has(amount)

const addedToTotals = (flow: Flow): ReadonlySet<Op | null> =>
  new Set(flow.stateStores().flatMap((store) => (store.location.part === 'root' ? [raisedBy(store)] : [])))

/** What is created there can be sold to others: by ERC-20, or because what one entry loses another one gains. */
const isPassedOn = (flow: Flow, variable: VariableModel): boolean =>
  isToken(flow) || flow.contractFlow.answer(passedOn).has(variable)

const passedOn = ({ entryPoints }: ContractFlow): ReadonlySet<VariableModel | null> => {
  const found = new Set<VariableModel | null>()
  for (const passer of entryPoints) {
    const entries = entriesOf(passer)
    const lowered = new Map<VariableModel | null, Set<Op>>()
    for (const { isRaised, op, amount } of entries) {
      if (isRaised) continue
      const known = lowered.get(op.location.variable) ?? new Set()
      lowered.set(op.location.variable, known)
      known.add(amount)
    }
    for (const { isRaised, op, amount } of entries)
      if (isRaised && lowered.get(op.location.variable)?.has(amount)) found.add(op.location.variable)
  }
  return found
}

const isToken = ({ contract }: Flow): boolean =>
  contract?.allFunctions.some(({ signature }) => signature === 'transferFrom(address,address,uint256)') ?? false

/** A record in a user's name, and the caller says what is paid by it. */
export function* rewritten(flow: Flow): Iterable<Candidate> {
  for (const { op, value, field } of othersRecords(flow)) {
    const message = `\`${flow.name}()\` lets any caller overwrite \`${field}\` in records that other users opened.`
    yield { flow, op, account: null, amount: value, message, gain: `overwrites \`${field}\` of another user’s record` }
  }
}
