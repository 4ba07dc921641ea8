import { type BinaryOp, type Flow, isEquality, type Op, stripCasts } from '../../ir/index.ts'

/** `balance == x`, which decides something. */
export interface ExactBalance {
  readonly flow: Flow
  readonly op: BinaryOp
}

export function* exactBalances(flow: Flow): Iterable<ExactBalance> {
  for (const op of flow.ops('bin')) {
    if (!isEquality(op.operator) || !op.args.some(isBalance)) continue
    if (flow.usersOf(op).length > 0 || flow.branchesOn(op).length > 0) yield { flow, op }
  }
}

/** The balance, also without some part of it: `address(this).balance - msg.value`. */
export const isBalance = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'bin') return op.operator === '-' && isBalance(op.args[0])
  return op.kind === 'builtin' && op.operator === 'balance'
}

/** Without any ether there is nothing to do: some that was forced in does what any other would. */
export const asksForEther = ({ flow, op }: ExactBalance): boolean => {
  if (!op.args.some(isZero)) return false
  const isEmpty = op.operator === '=='
  if (flow.usersOf(op).some(({ kind }) => kind !== 'assume' || isEmpty)) return false
  return flow.branchesOn(op).every(({ succs }) => {
    const [idle, busy] = isEmpty ? [succs[0]!, succs[1]!] : [succs[1]!, succs[0]!]
    return !hasEffect(flow, idle) && hasEffect(flow, busy)
  })
}

const isZero = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'const' && op.constant === 0n
}

const hasEffect = (flow: Flow, branch: number): boolean =>
  [...flow.stateStores(), ...flow.externalCalls()].some(({ block }) => flow.blockDominates(branch, block))
