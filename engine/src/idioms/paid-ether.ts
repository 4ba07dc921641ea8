/** Ether that comes with a call: whether any may come, and whether anyone counts it. */
import { type Fact, guardsAtEnd } from '../facts/index.ts'
import { type ContractFlow, type Flow, isZero, type Op, stripCasts } from '../ir/index.ts'

/** The ether that comes with the call. */
export const isMessageValue = ({ kind, operator }: Op): boolean => kind === 'env' && operator === 'msg.value'

/** `msg.value == 0`, also as what remains when more was refused. */
export const isNothingPaid = ({ condition, polarity }: Pick<Fact, 'condition' | 'polarity'>): boolean => {
  if (condition.kind !== 'bin') return false
  const [left, right] = condition.args.map(stripCasts) as [Op, Op]
  if (condition.operator === (polarity ? '==' : '!='))
    return (isMessageValue(left) && isZero(right)) || (isZero(left) && isMessageValue(right))
  return !polarity && condition.operator === '>' && isMessageValue(left) && isZero(right)
}

/** The function is payable and can end well although something was paid. */
export const takesEther = (flow: Flow): boolean => {
  const { exits } = flow.ir
  if (!flow.isPayable || flow.isConstructor || exits.length === 0) return false
  if (flow.ops('assume').some(({ block, args }) => block === 0 && isZero(args[0]))) return false
  return !flow.usesEnvironment('msg.value') || !exits.every((exit) => guardsAtEnd(flow, exit).some(isNothingPaid))
}

/** Some function compares what was paid with a price, or writes it down. What is only sent on has to be there first. */
export const isPaymentCounted = ({ entryPoints }: ContractFlow): boolean => entryPoints.some(countsPayment)

const countsPayment = (flow: Flow): boolean =>
  flow.usesEnvironment('msg.value') && flow.blocks.some(({ ops }) => ops.some((op) => op.args.some(isMessageValue)))
