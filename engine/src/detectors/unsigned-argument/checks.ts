import {
  type Argument,
  argumentsIn,
  dependsOn,
  guardsAt,
  includesArgument,
  isSaidByOthers,
  isStateRead,
} from '../../facts/index.ts'
import { isOwnEther, isOwnTokenBalance, keysOf, requiredUnset } from '../../idioms/index.ts'
import { bothOrders, type Flow, isComparison, isEquality, type Op, stripCasts } from '../../ir/index.ts'
import { isCovered } from './authorizations.ts'

/** The argument is compared with something that its submitter does not choose. */
export const isChecked = (flow: Flow, argument: Argument, effect: Op, covered: readonly Argument[]): boolean =>
  isCompared(flow, argument, covered) || isLookedUp(flow, argument, effect)

/** `amount <= limit`, `to == account`, `to == msg.sender || to == vault`, also where it decides between two values. */
const isCompared = (flow: Flow, argument: Argument, covered: readonly Argument[]): boolean =>
  flow
    .ops('bin')
    .some(
      (test) =>
        isComparison(test.operator) &&
        bothOrders(test).some(
          ([one, other]) =>
            isAbout(flow, one, argument, isEquality(test.operator)) &&
            (dependsOn(flow, other, isAnchor) ||
              argumentsIn(flow, other, 'data').some((said) => isCovered(said, covered))) &&
            !dependsOn(flow, other, isOwnBalance),
        ),
    )

const isAbout = (flow: Flow, value: Op, argument: Argument, isWithKeys: boolean): boolean =>
  argumentsIn(flow, value, 'data').some((said) => includesArgument(said, argument)) ||
  (isWithKeys && stateKeysIn(flow, value).some((key) => isAbout(flow, key, argument, false)))

/** The keys of the state that a value is read from. */
const stateKeysIn = (flow: Flow, value: Op): readonly Op[] =>
  flow.remember(stateKeysIn, value, () => {
    const keys: Op[] = []
    dependsOn(flow, value, (op) => {
      if (isStateRead(op)) keys.push(...keysOf(op.location))
      return false
    })
    return keys
  })

/** State, an answer, the caller, what was paid: nothing that time alone brings. */
const isAnchor = (op: Op): boolean =>
  isSaidByOthers(op) && op.operator !== 'block.timestamp' && op.operator !== 'block.number' && !isAction(op)

const isAction = ({ kind, call }: Op): boolean =>
  kind === 'call' && (call?.inlined === true || call?.isStatic === false)

/** What the contract holds says what it can pay, not what it should. */
const isOwnBalance = (op: Op): boolean => isOwnEther(op) || isOwnTokenBalance(op)

/** `require(allowed[token])`, `require(registry.isAllowed(token))`; not `require(!claimed[account])`, which every other account passes. */
const isLookedUp = (flow: Flow, argument: Argument, effect: Op): boolean =>
  guardsAt(flow, effect).some(({ condition, polarity }) => {
    const test = stripCasts(condition)
    if (requiredUnset(test, polarity) !== null) return false
    if (test.kind === 'bin' && !isEquality(test.operator)) return false
    return (
      stateKeysIn(flow, test).some((key) => isAbout(flow, key, argument, false)) ||
      dependsOn(
        flow,
        test,
        (op) =>
          op.kind === 'call' &&
          !isAction(op) &&
          op.call.definition?.effect !== 'hash' &&
          op.args.some((arg) => isAbout(flow, arg, argument, false)),
      )
    )
  })
