import { endsInRevert, type Loop } from '../../facts/index.ts'
import { keptIn } from '../../idioms/index.ts'
import { type Flow, type Op, type StoreOp, stripCasts } from '../../ir/index.ts'
import { isForTests, type Model } from '../../model/index.ts'
import { type Call, nodesOf } from '../../syntax/index.ts'
import { excuse } from '../define-detector.ts'
import { comparesReadings, type ExactBalance, heldUpBy, requiresEther } from './exact-balances.ts'
import { type GrowingLoop, shortens } from './loops.ts'

export type Candidate = GrowingLoop | ExactBalance

const excuseLoop = (name: string, sentence: string, holds: (candidate: GrowingLoop) => boolean) =>
  excuse<Candidate>(name, sentence, (candidate) => 'loop' in candidate && holds(candidate))

const excuseBalance = (name: string, sentence: string, holds: (candidate: ExactBalance) => boolean) =>
  excuse<Candidate>(name, sentence, (candidate) => 'op' in candidate && holds(candidate))

/** Why what grows, or what can be forced in, harms nobody. */
export const excuses = [
  excuseLoop(
    'shortened-at-once',
    'users who filled the list can remove entries without iterating',
    ({ relief }) => relief === 'at once',
  ),
  excuseLoop(
    'search',
    'it only searches for the element to remove',
    ({ flow, loop, relief }) => relief === 'whole' && isSearch(flow, loop),
  ),
  excuseLoop(
    'for-derived-contracts',
    'it is an internal function that nothing calls',
    ({ flow, loop }) => !flow.isEntryPoint && loop.boundKind !== 'chain',
  ),
  excuseLoop('resumes', 'it resumes where it stopped and only covers new entries', ({ loop }) => resumes(loop)),
  excuseLoop(
    'view-of-shrinking-list',
    'it is a view, and the list can be shortened',
    ({ flow, relief }) => isView(flow) && relief === 'whole',
  ),
  excuseLoop(
    'lists-all',
    'it is a view that returns the whole list',
    ({ flow, loop }) => isView(flow) && listsAll(flow, loop),
  ),
  excuseLoop(
    'looks-up',
    'it is a view that stops at the element it searches',
    ({ flow, loop }) => isView(flow) && looksUp(flow, loop),
  ),
  excuseBalance('two-readings', 'two balance readings or their difference are compared', comparesReadings),
  excuseBalance('requests-ether', 'it only checks whether there is any ETH', requiresEther),
  excuseBalance(
    'holds-up-nothing',
    'it is a view that no scanned contract uses',
    (candidate) => isView(candidate.flow) && heldUpBy(candidate) === undefined && !isQueriedByOthers(candidate.flow),
  ),
]

/** It only answers questions, and no transaction fails when it cannot. */
const isView = ({ fn }: Flow): boolean => fn?.mutability === 'view' || fn?.mutability === 'pure'

/** Anyone who asks from outside may wait for the answer. Those inside are followed into it, and what waits there shows. */
const isQueriedByOthers = ({ fn, model }: Flow): boolean =>
  model.files.some(
    ({ path, unit }) =>
      !isForTests(path) && nodesOf(unit, 'Call').some((call) => isNamedIn(call, fn!.name) && isOfOthers(model, call)),
  )

const isNamedIn = ({ callee }: Call, name: string): boolean => {
  const called = callee.kind === 'CallOptions' ? callee.callee : callee
  return called.kind === 'Member' && called.name.name === name
}

const isOfOthers = (model: Model, call: Call): boolean => {
  const { kind } = model.callTarget(call)
  return kind === 'external' || kind === 'unknown'
}

/** What the list is too long for shows where it is worked through. */
const isSearch = (flow: Flow, { variable, mark }: Loop): boolean => {
  const isInside = ({ block }: Op): boolean => block >= mark.header && block <= mark.last
  const isOfList = ({ location }: StoreOp): boolean => location.variable === variable
  if (flow.externalCalls().some(isInside) || flow.stateStores().some((op) => isInside(op) && !isOfList(op)))
    return false
  return flow.stateStores().some((op) => isOfList(op) && shortens(op) && op.end > mark.start)
}

/** From one stored number to another. */
const resumes = ({ boundKind, condition, mark }: Loop): boolean => {
  if (boundKind !== 'storage' || condition?.kind !== 'bin') return false
  const counter = condition.args.map(stripCasts).find(({ kind, block }) => kind === 'phi' && block === mark.header)
  if (counter === undefined) return false
  const start = stripCasts(counter.args[0]!)
  const from = start.kind === 'bin' && start.operator === '+' ? start.args.map(stripCasts) : [start]
  return from.some((value) => keptIn(value) !== null)
}

/** Each round writes an element of the answer. */
const listsAll = (flow: Flow, { variable, mark }: Loop): boolean =>
  variable !== null &&
  variable.type.kind !== 'mapping' &&
  flow.fn!.returns.some(({ type }) => type.kind === 'array') &&
  flow
    .memoryStores()
    .some(({ block, location }) => block >= mark.header && block <= mark.last && location.part === 'index')

/** Some branch inside leaves the loop, and not by refusing. */
const looksUp = (flow: Flow, { boundKind, condition, mark: { header, last } }: Loop): boolean => {
  if (boundKind !== 'storage-length') return false
  const goesOn = new Set<number>([header])
  for (let block = last; block > header; block--)
    if (flow.blocks[block]!.succs.some((next) => goesOn.has(next))) goesOn.add(block)
  return [...goesOn].some((block) => {
    const { condition: queried, succs } = flow.blocks[block]!
    if (queried === null || queried === condition) return false
    return succs.some((next) => !goesOn.has(next) && !endsInRevert(flow, next))
  })
}
