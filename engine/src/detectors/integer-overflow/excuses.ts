import { guardsAt, isProtected } from '../../facts/index.ts'
import {
  canBeMadeToWrap,
  isConserved,
  isHarmless,
  isMeantToWrap,
  isPlace,
  isTestedBeforeCall,
} from '../../idioms/index.ts'
import { type BinaryOp, type Flow, isEquality, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import { excuse } from '../define-detector.ts'
import type { Overflow } from './overflow.ts'

type Holds = (flow: Flow, op: BinaryOp) => boolean

/** For some flaws alone. */
const of =
  (...flaws: readonly Overflow['flaw'][]) =>
  (name: string, sentence: string, holds: Holds) =>
    excuse<Overflow>(name, sentence, ({ flow, op, flaw }) => flaws.includes(flaw) && holds(flow, op))

const ofOpen = of('open')
const ofUnchecked = of('unchecked')
const ofBoth = of('open', 'unchecked')

/** Why nobody brings it about, or why nothing follows from it. */
export const excuses = [
  excuse<Overflow>('only-shown', 'the function answers with text, and nobody counts with that', ({ flow }) =>
    isOnlyShown(flow),
  ),
  ofOpen(
    'only-equated',
    'it is only asked whether two numbers are the same, which does not depend on their order',
    isOnlyEquated,
  ),
  ofOpen(
    'meant-to-wrap',
    'only differences are taken of it, which are right also past the end of the range',
    isMeantToWrap,
  ),
  ofOpen('counted-before', 'it counts down by one what was counted when its owner got it', isCountOfOwned),
  ofOpen('harmless', 'nothing of value follows from the result', isHarmless),
  ofOpen(
    'out-of-reach',
    'no numbers that an outsider can bring about lead out of the range',
    (flow, op) => canBeMadeToWrap(flow, op) === 'no',
  ),
  ofUnchecked('protected', 'only known accounts get there', isProtected),
  ofBoth('conserved', 'what is taken from one account is put to another, and the sum was there before', isConserved),
  ofBoth('tested-before-call', 'a call that follows fails unless the numbers are in range', isTestedBeforeCall),
]

/** Reads, and answers with text. */
const isOnlyShown = ({ isEntryPoint, kind, fn }: Flow): boolean => {
  if ((!isEntryPoint && kind !== 'library') || fn === null || (fn.mutability !== 'view' && fn.mutability !== 'pure'))
    return false
  return fn.returns.length > 0 && fn.returns.every(({ type }) => type.kind === 'string' || type.kind === 'bytes')
}

/** `index == count - 1` */
function isOnlyEquated(flow: Flow, op: BinaryOp): boolean {
  const users = flow.usersOf(op).filter(({ kind }) => kind !== 'cast')
  return users.length > 0 && users.every(({ kind, operator }) => kind === 'bin' && isEquality(operator))
}

/** `count[who] -= 1` where something that was required to belong to `who` gets another owner. */
function isCountOfOwned(flow: Flow, { operator, args }: BinaryOp): boolean {
  const [count, step] = args.map(stripCasts) as [Op, Op]
  const who = operator === '-' && step.constant === 1n && isPlace(count) ? (count.location?.index ?? null) : null
  if (who === null) return false
  return guardsAt(flow, count).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || !isEquality(condition.operator) || (condition.operator === '==') !== polarity)
      return false
    const owned = condition.args.map(stripCasts).find((side) => isPlace(side) && side.location?.index != null)
    if (owned === undefined || !condition.args.some((side) => sameValue(side, who))) return false
    return flow.stateStores().some((store) => store.location === owned.location)
  })
}
