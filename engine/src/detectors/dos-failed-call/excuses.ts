import {
  dependsOn,
  isPassedIn,
  isSender,
  loopAround,
  outsiderCanSetCopied,
  outsiderCanSetPlace,
} from '../../facts/index.ts'
import { type CallOp, type Flow, type Location, stripCasts } from '../../ir/index.ts'
import { excuse } from '../define-detector.ts'
import type { BlockingCall } from './blocking-call.ts'

/** Why a failure keeps nobody waiting who did not choose it. */
export const excuses = [
  excuse<BlockingCall>(
    'chosen',
    'privileged accounts choose the callees, which are not a list of payees',
    ({ flow, call, place, keeps }) =>
      (keeps === 'callees' || keeps === 'line' || keeps === 'seat' || keeps === 'draw') &&
      !outsiderCanName(flow, call, place!),
  ),
  excuse<BlockingCall>(
    'own-list',
    'it is one of many lists, and other users have their own',
    ({ keeps, list }) => keeps === 'callees' && isUnderKey(list ?? null),
  ),
  excuse<BlockingCall>(
    'range-of-caller',
    'the caller says where in the list the loop starts, and can start behind the one that refuses',
    startsWhereSaid,
  ),
  excuse<BlockingCall>('errand', 'it sends calldata: a batch of calls that must succeed or fail together', isErrand),
  excuse<BlockingCall>('rule-of-token', 'the callee is a transfer hook that may reject a transfer', isGivenParties),
  excuse<BlockingCall>(
    'part-of-token',
    'the callee was fixed at deployment as part of the token',
    ({ place, keeps }) =>
      keeps === 'transfers' && (place?.variable?.isImmutable || place?.variable?.isConstant) === true,
  ),
]

/** `for (uint256 i = start; …)`: the number of the first round is the caller's. */
function startsWhereSaid({ flow, call }: BlockingCall): boolean {
  const header = loopAround(flow, call)?.mark.header
  const payee = [...call.args, ...(call.call.target === null ? [] : [call.call.target])]
  return flow.ops('phi').some((counter) => {
    if (counter.block !== header || !counter.args.some((first) => isPassedIn(first))) return false
    return payee.some((value) => dependsOn(flow, value, (op) => op === counter, { keys: true }))
  })
}

const isUnderKey = (list: Location | null): boolean => list !== null && (list.index !== null || isUnderKey(list.parent))

/** Anyone who is called may be a field of a record that was copied to memory. */
const outsiderCanName = ({ contractFlow }: Flow, { call: { target } }: CallOp, place: Location): boolean => {
  const callee = target === null ? null : stripCasts(target)
  return callee?.kind === 'load' && callee.location !== place
    ? outsiderCanSetCopied(contractFlow, place, callee.location)
    : outsiderCanSetPlace(contractFlow, place)
}

function isErrand({ call: { call, args } }: BlockingCall): boolean {
  if (call.kind !== 'lowlevel') return false
  // In assembly a place in memory and a size; a size that is not fixed is that of data from elsewhere.
  if (args.length === inAssembly) return args[1]!.kind !== 'const'
  const data = args[0]
  return data !== undefined && (data.kind === 'load' || data.kind === 'param')
}

/** Where the input is and how long, and the same of the output. */
const inAssembly = 4

function isGivenParties({ flow, call, keeps }: BlockingCall): boolean {
  if (keeps !== 'transfers' || call.call.value !== null) return false
  return call.args
    .map(stripCasts)
    .some((arg) => isSender(arg) || (arg.kind === 'param' && flow.typeOf(arg)?.kind === 'address'))
}
