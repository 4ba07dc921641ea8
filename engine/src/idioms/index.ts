/** The vocabulary of Solidity: how people write token calls, trades, clocks, and arithmetic that is meant to wrap around. */
export { canBeMadeToWrap } from './attainable.ts'
export { accountOf, isConserved, isTestedBeforeCall } from './conserved.ts'
export { isAssembly, isHarmless, isPointerSum, unitOf } from './harmless-arithmetic.ts'
export { type HookWindow, hookWindow } from './hook-windows.ts'
export { clockOf, isAppointed, isBlockNumber, isBlockOrder, isCooldown, keptIn, storedBehind } from './time.ts'
export { isOwnTokenBalance, isSelf, notifiedBy, tokenCallOf, tokenCalls } from './token-calls.ts'
export { tradeOf } from './trades.ts'
export { isConstant, isMeantToWrap, isNow, isPlace, isTimeWeighted } from './wrap-around.ts'
