import { dependsOn, guardsAt, isCallersNumber, isCleared, isSender, parametersIn } from '../../facts/index.ts'
import {
  columnOf,
  hasIncomingPayment,
  holdersOfRecord,
  isColumnPaidFrom,
  isNamedAccount,
  keysOf,
  listFunctions,
  loweredBy,
  mayRequireRight,
  nameOfColumn,
  type UnprotectedOp,
  unprotectedFinding,
  unprotectedOpExcuses,
} from '../../idioms/index.ts'
import { describeValue, type Flow, groupBy, holding, type LoadOp, mayOverlap, type Op } from '../../ir/index.ts'
import type { VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'
import { takenThroughTrusted } from './through-trusted.ts'

/** The entry of an account that the caller names is lowered by as much as the caller says, also converted at a rate. */
function* takenFromOthers(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const amount = loweredBy(op)
    const keys = amount === null ? [] : keysOf(op.location)
    const account = keys.find((key) => isNamedAccount(flow, key))
    if (
      account === undefined ||
      keys.some(isSender) ||
      !(amount!.kind === 'const' || parametersIn(flow, amount!).size > 0)
    )
      continue
    const column = columnOf(op.location)
    const name = column === null ? 'the balance' : `\`${nameOfColumn(column)}\``
    const message = `Anyone can call \`${flow.name}()\` and reduce ${name} of any account without its approval, so users lose what they have there.`
    yield { flow, op, account, amount, message, gain: `reduces ${name} of another account` }
  }
}

/** `balances[ownerOf[id]] -= 1` for an id that the caller names: the account on record is debited, and nothing but its record is looked at. */
function* takenFromHolders(flow: Flow): Iterable<UnprotectedOp> {
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
    const message = `Anyone can call \`${flow.name}()\` for any \`${record}\` and reduce \`${name}\` of the account recorded for it without its approval, so that account loses it.`
    yield { flow, op, account: holder, amount, message, gain: `reduces \`${name}\` of another account` }
  }
}

/** `locks[id].amount -= n` for any id, where other functions change that record only for who holds the id. */
function* takenFromHeldRecords(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const amount = op.location.depth === 0 ? null : loweredBy(op)
    if (amount === null || !isCallersNumber(flow, amount) || keysOf(op.location).some(isSender)) continue
    const holders = holdersOfRecord(flow, op.location)
    if (holders.length === 0 || hasIncomingPayment(flow) || mayRequireRight(flow, op)) continue
    const name = nameOfColumn(columnOf(op.location)!)
    const message = `Anyone can call \`${flow.name}()\` and reduce \`${name}\` of a record that another account holds, although ${listFunctions(holders)} check${holders.length === 1 ? 's' : ''} that the caller holds it.`
    yield { flow, op, account: null, amount, message, gain: `reduces \`${name}\` of another account’s record` }
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

/** `held[who] = 0`, and the former balance is at most reported, or taken off a total too: the account has lost it. */
function* wipedForOthers(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const keys = isCleared(op) ? keysOf(op.location) : []
    const account = keys.find((key) => isNamedAccount(flow, key))
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

const movesBalances = (flow: Flow): boolean => holding.effect(flow) || holding.foreignCall(flow)

export default defineDetector<UnprotectedOp>({
  id: 'unauthorized-debit',
  formerly: 'access-control',
  swc: null,
  title: 'Unauthorized debit of another account',
  aliases: {
    owasp: ['SC01:2025'],
    scwe: ['SCWE-016'],
    words: [
      'unauthorized transfer',
      'unauthorized burn',
      'burn from any account',
      'missing allowance check',
      'missing access control',
    ],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'A function that anyone can call reduces or clears the balance of an account that the caller names, without its approval, allowance or signature. The account loses its tokens or its payout.',
  recommendation:
    'Debit `msg.sender`, or require an allowance or a signature from the account whose balance is reduced.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862', 'CWE-639'],
  yieldsTo: [
    'unprotected-ether-withdrawal',
    'unprotected-token-withdrawal',
    'unprotected-selfdestruct',
    'unprotected-initializer',
    'arbitrary-transfer-from',
  ],
  isPerFunction: true,

  needs: [movesBalances],
  *candidates(context) {
    for (const flow of context.entryPoints) {
      yield* takenThroughTrusted(context, flow)
      yield* takenFromOthers(flow)
      yield* takenFromHolders(flow)
      yield* takenFromHeldRecords(flow)
      yield* wipedForOthers(flow)
    }
  },
  excuses: [
    unprotectedOpExcuses.callerChecked,
    unprotectedOpExcuses.accountConsented,
    unprotectedOpExcuses.allowedByRecord,
    unprotectedOpExcuses.repaid,
    unprotectedOpExcuses.paidToTheAccount,
    unprotectedOpExcuses.proven,
  ],
  finding: unprotectedFinding,
})
