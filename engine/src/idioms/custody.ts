/** What users leave with a contract, in words: an asset that an attacker can take. Null where nothing shows that anything stays. */
import { dependsOn, isOpenPath, isSender } from '../facts/index.ts'
import { type ContractFlow, type Flow, type Op, type StoreOp, stripCasts } from '../ir/index.ts'
import { keysOf } from './entries.ts'
import { isKeyed } from './keys.ts'
import { type Entry, entriesOf, incomingOf, outgoingOf } from './ledger.ts'
import { isMessageValue, takesEther } from './paid-ether.ts'
import { isOwnTokenBalance, isSelf, tokenCalls } from './token-calls.ts'

/** The payment is written down, as a balance, a total, a bid, or who made it is; and none of it is passed on. */
const recordsEther = (flow: Flow): boolean =>
  takesEther(flow) &&
  flow.stateStores().some((store) => isOfPayment(flow, store)) &&
  outgoingOf(flow).every(({ asset }) => asset !== 'ether')

const isOfPayment = (flow: Flow, { location, args: [value] }: StoreOp): boolean =>
  isSender(value) || keysOf(location).some(isSender) || dependsOn(flow, value, isMessageValue)

/** The payment is accepted from anyone and goes nowhere: a router takes ether back from the contracts that it calls, and from no other. */
const keepsEther = (flow: Flow): boolean =>
  takesEther(flow) && flow.externalCalls().length === 0 && flow.ops('return').every((end) => isOpenPath(flow, end))

/** Tokens of the caller come to stay, under the name of an account. */
const keepsTokens = (flow: Flow): boolean =>
  incomingOf(flow).some(({ from, to }) => from !== null && isSender(from) && (to === null || isSelf(to))) &&
  flow.stateStores().some(({ location }) => isKeyed(location))

const phrase = (asset: string, flow: Flow | undefined): string | null =>
  flow === undefined ? null : `${asset} that users pay in through \`${flow.name}()\``

const recordedIn = ({ entryPoints }: ContractFlow): string | null => phrase('ETH', entryPoints.find(recordsEther))

const keptIn = ({ entryPoints }: ContractFlow): string | null => phrase('ETH', entryPoints.find(keepsEther))

const tokensIn = ({ entryPoints }: ContractFlow): string | null => phrase('tokens', entryPoints.find(keepsTokens))

/** Ether that users pay in and that some function writes down. */
export const recordedEther = ({ contractFlow }: Flow): string | null => contractFlow.answer(recordedIn)

/** Ether that users pay in and that stays in the contract. */
export const etherOfUsers = (flow: Flow): string | null => recordedEther(flow) ?? flow.contractFlow.answer(keptIn)

/** Tokens that users pay in and that the contract keeps accounts of. */
export const tokensOfUsers = ({ contractFlow }: Flow): string | null => contractFlow.answer(tokensIn)

/** Either of them. */
export const holdingsOfUsers = (flow: Flow): string | null => etherOfUsers(flow) ?? tokensOfUsers(flow)

/** Balances that accounts keep here and move between each other, as those of a token. */
const movesBalances = (flow: Flow): boolean => {
  const entries = entriesOf(flow)
  const isTaken = ({ op, isRaised }: Entry): boolean => !isRaised && op.location.variable !== null
  return entries.some(
    (from) =>
      isTaken(from) && entries.some((to) => to.isRaised && to.op.location.variable === from.op.location.variable),
  )
}

/** Tokens of its own choice, of which it asks how many it has. */
const keepsStock = (flow: Flow): boolean =>
  flow.externalCalls().some((call) => {
    const { target } = call.call
    return target !== null && stripCasts(target).kind === 'load' && isOwnTokenBalance(call)
  })

/** Users approve the contract that moves their tokens. */
const isApproved = (flow: Flow): boolean => tokenCalls(flow).some(({ from }) => from !== null && !isSelf(from))

const hasAssets = ({ entryPoints }: ContractFlow): boolean =>
  entryPoints.some((flow) => movesBalances(flow) || keepsStock(flow) || isApproved(flow))

/** Whether something can be lost here: what users paid in or approved, their balances, or a stock of tokens. Of a missing base nobody knows. */
export const hasAssetsOfUsers = (flow: Flow): boolean =>
  flow.contract?.hasUnresolvedBase === true || holdingsOfUsers(flow) !== null || flow.contractFlow.answer(hasAssets)

/** What is lost at `op`, where any caller gets there with nothing but arguments and money of their own; undefined where that is not shown. */
export const lossAt = (flow: Flow, op: Op, loss: string | null): string | undefined =>
  loss !== null && isOpenPath(flow, op) ? loss : undefined
