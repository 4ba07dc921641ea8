/** The vocabulary of Solidity: how people write token calls, trades, clocks, and arithmetic that is meant to wrap around. */
export { type Act, type ActKind, actsOf } from './acts.ts'
export { affectedResult, isRecorded } from './affected-result.ts'
export { byVariable, flowsAt, isAllowance, type PlaceOfFlow, type PlacesOfFlows } from './allowances.ts'
export { canBeMadeToWrap } from './attainable.ts'
export { checksOfMove } from './checked-before.ts'
export { type Column, columnOf, isInColumn, keyOfColumn, nameOfColumn } from './columns.ts'
export { accountOf, isConserved, isTestedBeforeCall } from './conserved.ts'
export { controlTransfers } from './control-transfers.ts'
export { etherOfUsers, hasAssetsOfUsers, holdingsOfUsers, lossAt, recordedEther, tokensOfUsers } from './custody.ts'
export { disabledGuard, withOpenFunctions } from './disabled-guard.ts'
export {
  type DroppedResult,
  droppedResults,
  isConsulted,
  isReplaceable,
  sizeOfAnswer,
} from './dropped-results.ts'
export { keysOf, loweredBy, raisedBy } from './entries.ts'
export { isAssembly, isHarmless } from './harmless-arithmetic.ts'
export { initializer, runsForOthers, undone, unreachable } from './harmless-places.ts'
export { isHash, messageHash } from './hashes.ts'
export { holdersOfRecord, mayRequireRight } from './held-records.ts'
export { type HookWindow, hookWindow } from './hook-windows.ts'
export { isKeyed } from './keys.ts'
export {
  consentTo,
  type Entry,
  entriesOf,
  hasIncomingPayment,
  impactOf,
  incomingOf,
  isColumnPaidFrom,
  isForCaller,
  isPaid,
  isPaidFrom,
  outgoingOf,
  type Payment,
  paymentsOf,
  paysOut,
} from './ledger.ts'
export { isDemandedBack } from './loans.ts'
export { isRoundStart } from './loop-rounds.ts'
export { requiredUnset } from './marks.ts'
export { isNeverRaised } from './never-raised.ts'
export { isReadOnlyService, isSystemAddress, isUnownedAddress, outsiderNamedBy } from './outsiders.ts'
export { isRepayment } from './owed.ts'
export { isMessageValue, isNothingPaid, isPaymentCounted, takesEther } from './paid-ether.ts'
export { isPositionInData } from './positions.ts'
export { feedAnswer } from './price-feeds.ts'
export { proofOf, proofsAt } from './proofs.ts'
export { shapeOf, shapeOfCondition } from './shapes.ts'
export { isExchange, isMovableAnswer, isPoolAnswer, isPoolBalance, isPoolQuote, isShareRate } from './spot-answers.ts'
export { isTotalFor, type NumberMove, netMovesOf, numberMovesOf, type Sum, sumsOf } from './sums.ts'
export {
  clockOf,
  elapsedSince,
  isAppointed,
  isBlockNumber,
  isBlockOrder,
  isCooldown,
  keptIn,
  storedBehind,
} from './time.ts'
export {
  callsToken,
  isMadeBy,
  isOwnEther,
  isOwnTokenBalance,
  isSelf,
  notifiedBy,
  type TokenCall,
  tokenCallOf,
  tokenCalls,
  tokenVariable,
} from './token-calls.ts'
export { isBesides, isKeptFor, isSameAmount, isSameKind, isWith, linksOf } from './totals.ts'
export { givesOwnToken, type Trade, tradeOf } from './trades.ts'
export { unprotectedOpExcuses } from './unprotected-op-excuses.ts'
export { isNamedAccount, type UnprotectedOp, unprotectedFinding } from './unprotected-ops.ts'
export { isBorneByCaller } from './unrecorded-tokens.ts'
export {
  describeCaller,
  firstThatFits,
  listFunctions,
  nameFunction,
  provenStep,
  uncheckedStep,
  witnessStep,
} from './witness.ts'
export { quoteValue } from './wording.ts'
export { isConstant, isMeantToWrap, isNow, isOnlyReadAs, isPlace } from './wrap-around.ts'
