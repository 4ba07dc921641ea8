import { isCallersNumber, isSender, isUntrusted } from '../../facts/index.ts'
import {
  columnOf,
  entriesOf,
  isAllowance,
  isColumnPaidFrom,
  keysOf,
  nameOfColumn,
  raisedBy,
  type UnprotectedOp,
  unprotectedFinding,
  unprotectedOpExcuses,
} from '../../idioms/index.ts'
import {
  type ContractFlow,
  describeValue,
  type Flow,
  holding,
  type Op,
  type StoreOp,
  stripCasts,
} from '../../ir/index.ts'
import type { ContractModel, VariableModel } from '../../model/index.ts'
import { defineDetector } from '../define-detector.ts'
import { onlyLowersPayouts } from './taken-off.ts'

/** A number is added to an entry for which nobody gives anything, and entries are paid out, or others' entries are worth less by it. */
function* creditedForNothing(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.stateStores()) {
    const amount = raisedBy(op)
    if (amount === null || keysOf(op.location).length === 0 || !isCallersNumber(flow, amount)) continue
    const column = columnOf(op.location)
    if (column === null || isOwnAllowance(flow, op)) continue
    const name = nameOfColumn(column)
    if (isColumnPaidFrom(flow, column) && !onlyLowersPayouts(flow.contractFlow, column))
      yield {
        flow,
        op,
        account: null,
        amount,
        message: `Anyone can call \`${flow.name}()\` and increase \`${name}\` without paying. The contract pays out by \`${name}\`, so an attacker drains what others deposited.`,
        gain: `increases \`${name}\`, to withdraw it later`,
      }
    else if (isIssued(flow, amount) && isPassedOn(flow, column.variable))
      yield {
        flow,
        op,
        account: null,
        amount,
        message: `Anyone can call \`${flow.name}()\` and increase \`${name}\` by any amount without paying, so an attacker mints tokens for free and dilutes all holders.`,
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

const mint = 'mint(address,uint256)'

/** Only who counts its tokens has such a function: elsewhere the number after the account may be the id of a single one. */
const ofAmounts = new Set([
  'decimals()',
  'allowance(address,address)',
  'transfer(address,uint256)',
  'burn(address,uint256)',
  'burnFrom(address,uint256)',
])

const countsAmounts = (token: ContractModel | null): boolean =>
  token?.allFunctions.some(({ signature }) => ofAmounts.has(signature)) ?? false

/** Kept in state, or written into the code. */
const isOnRecord = (token: Op): boolean => {
  const { kind } = stripCasts(token)
  return kind === 'load' || kind === 'const'
}

/** A token that the protocol chose is instructed to create as much as the caller says, for whom they say. */
function* createdElsewhere(flow: Flow): Iterable<UnprotectedOp> {
  for (const op of flow.externalCalls()) {
    const { definition, target } = op.call
    const [to, amount] = op.args
    if (definition?.signature !== mint || target === null || isUntrusted(flow, target, op)) continue
    if (!isOnRecord(target) || !countsAmounts(definition.contract)) continue
    if (!isCallersNumber(flow, amount!) || !(isSender(to!) || isCallersNumber(flow, to!))) continue
    const receiver = isSender(to!) ? 'themselves' : 'any account'
    const message = `Anyone can call \`${flow.name}()\` and mint any amount of \`${describeValue(flow.model, target)}\` to ${receiver} without paying, which dilutes all holders.`
    const gain = `mints \`${describeValue(flow.model, target)}\` without paying`
    yield { flow, op, account: null, amount: stripCasts(amount!), message, gain, isCreation: true }
  }
}

export default defineDetector<UnprotectedOp>({
  id: 'unbacked-mint',
  formerly: 'access-control',
  swc: null,
  title: 'Unbacked mint or credit',
  aliases: {
    owasp: ['SC01:2025'],
    scwe: ['SCWE-013'],
    words: ['unauthorized mint', 'public mint', 'free mint', 'credit without deposit', 'missing access control'],
  },
  severity: 'critical',
  confidence: 'medium',
  description:
    'A function that anyone can call mints tokens or raises a balance by an amount the caller chooses, and nobody pays for it. The balance is paid out or sold, so an attacker drains the contract or dilutes all holders.',
  recommendation: 'Restrict minting to a privileged role, or take payment for the credited amount in the same call.',
  references: ['https://owasp.org/www-project-smart-contract-top-10/'],
  cwe: ['CWE-862', 'CWE-284'],
  yieldsTo: [
    'unprotected-ether-withdrawal',
    'unprotected-token-withdrawal',
    'unprotected-selfdestruct',
    'unprotected-initializer',
    'arbitrary-transfer-from',
  ],
  isPerFunction: true,

  needs: [holding.effect],
  *candidates({ entryPoints }) {
    for (const flow of entryPoints) {
      yield* creditedForNothing(flow)
      yield* createdElsewhere(flow)
    }
  },
  excuses: [
    unprotectedOpExcuses.callerChecked,
    unprotectedOpExcuses.amountPaidFor,
    unprotectedOpExcuses.answered,
    unprotectedOpExcuses.covered,
    unprotectedOpExcuses.limited,
    unprotectedOpExcuses.proven,
  ],
  finding: unprotectedFinding,
})
