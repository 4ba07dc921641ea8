import { type Loop, loopsOf } from '../../facts/index.ts'
import { keptIn } from '../../idioms/index.ts'
import { type Flow, type Op, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const untilChain = 'Nothing bounds this loop but the time that has passed, or accounts of others: its gas only grows.'

/** How the list can be made shorter: not at all, by going through the whole of it, or one by one, at once. */
type Relief = 'none' | 'whole' | 'at once'

const reliefOf = (flow: Flow, { variable, boundKind }: Loop): Relief => {
  if (variable === null || boundKind !== 'storage-length') return 'none'
  let relief: Relief = 'none'
  for (const { flow: writer, op } of flow.whole.writersOf(variable)) {
    if (writer.isConstructor || !shortens(op)) continue
    const isWhole = op.location!.part !== 'length'
    if (!isWhole && !loopsOf(writer).some((loop) => loop.variable === variable && loop.start < op.end)) return 'at once'
    relief = 'whole'
  }
  return relief
}

const shortens = (store: Op): boolean => {
  const { part } = store.location!
  if (store.flag) return part === 'root' || part === 'length'
  const value = stripCasts(store.args[0]!)
  return part === 'length' && ((value.kind === 'bin' && value.operator === '-') || isZero(value))
}

const isZero = (value: Op): boolean => value.kind === 'const' && value.constant === 0n

/** It only answers questions, and no transaction fails when it cannot. */
const isView = ({ fn }: Flow): boolean => fn?.mutability === 'view' || fn?.mutability === 'pure'

/** The list has become too long for this loop, and somebody is harmed by it. */
const isHarmful = (flow: Flow, loop: Loop, relief: Relief): boolean => {
  // Whoever has filled it too well takes out what is too much.
  if (relief === 'at once' || (relief === 'whole' && isSearch(flow, loop))) return false
  if (loop.boundKind === 'chain') return true
  // Nothing here asks an inner function that waits for an heir.
  if (!flow.isEntryPoint || resumes(loop)) return false
  return !isView(flow) || (relief === 'none' && !listsAll(flow, loop) && !looksUp(flow, loop))
}

/** A question that ends at the element of the list it looks for. */
const looksUp = (flow: Flow, { boundKind, condition, mark: { header, last } }: Loop): boolean => {
  if (boundKind !== 'storage-length') return false
  const goesOn = new Set<number>([header])
  for (let block = last; block > header; block--)
    if (flow.blocks[block]!.succs.some((next) => goesOn.has(next))) goesOn.add(block)
  for (const block of goesOn) {
    const { condition: asked, succs } = flow.blocks[block]!
    if (asked === null || asked === condition) continue
    if (succs.some((next) => !goesOn.has(next) && !isRefusal(flow, next))) return true
  }
  return false
}

const isRefusal = (flow: Flow, block: number): boolean => {
  const { ops } = flow.blocks[block]!
  return ops[ops.length - 1]?.kind === 'revert'
}

/** From one stored number to another: it goes on where it ended the last time, over what was added since. */
const resumes = ({ boundKind, condition, mark }: Loop): boolean => {
  if (boundKind !== 'storage' || condition?.kind !== 'bin') return false
  const counter = condition.args.map(stripCasts).find(({ kind, block }) => kind === 'phi' && block === mark.header)
  if (counter === undefined) return false
  const start = stripCasts(counter.args[0]!)
  const from = start.kind === 'bin' && start.operator === '+' ? start.args.map(stripCasts) : [start]
  return from.some((value) => keptIn(value) !== null)
}

/** It only looks for what is to be taken out of the list: what the list is too long for shows where it is worked through. */
const isSearch = (flow: Flow, { variable, mark }: Loop): boolean => {
  const isInside = ({ block }: Op): boolean => block >= mark.header && block <= mark.last
  let isShortened = false
  for (const store of flow.stateStores()) {
    const isOfList = store.location!.variable === variable
    if (isInside(store) && !isOfList) return false
    if (isOfList && shortens(store) && store.end > mark.start) isShortened = true
  }
  return isShortened && !flow.externalCalls().some(isInside)
}

/** Whoever asks for all there is gets an answer as long: each round writes an element of it. */
const listsAll = (flow: Flow, { variable, mark }: Loop): boolean =>
  variable !== null &&
  variable.type.kind !== 'mapping' &&
  flow.fn!.returns.some(({ type }) => type.kind === 'array') &&
  flow
    .memoryStores()
    .some(({ block, location }) => block >= mark.header && block <= mark.last && location!.part === 'index')

const reportLoop = (loop: Loop, shrinks: boolean, hits: Hit[]): void => {
  const end = loop.condition !== null && loop.condition.end > loop.start ? loop.condition.end : loop.start + 3
  const at = { start: loop.start, end }
  if (shrinks)
    hits.push({
      at,
      message: `This loop runs over \`${loop.variable?.name}\`, and nothing keeps those who fill it from making it too long.`,
      confidence: 'low',
    })
  else
    hits.push({
      at,
      message:
        loop.boundKind === 'chain'
          ? untilChain
          : `This loop runs over \`${loop.variable?.name ?? 'stored data'}\`, which only grows.`,
    })
}

/** `balance == x` that decides something; `x` is more than an earlier reading of the same balance. */
const isExactBalance = (flow: Flow, op: Op): boolean =>
  (op.operator === '==' || op.operator === '!=') &&
  op.args.some(isBalance) &&
  !op.args.every(isBalance) &&
  (flow.usersOf(op).length > 0 || flow.branchesOn(op).length > 0) &&
  !(op.args.some((arg) => isZero(stripCasts(arg))) && asksForEther(flow, op))

/** Without any ether there is nothing to do: some that was forced in does what any other would. */
const asksForEther = (flow: Flow, op: Op): boolean => {
  const isEmpty = op.operator === '=='
  for (const user of flow.usersOf(op)) if (user.kind !== 'assume' || isEmpty) return false
  for (const { succs } of flow.branchesOn(op)) {
    const [idle, busy] = isEmpty ? [succs[0]!, succs[1]!] : [succs[1]!, succs[0]!]
    if (hasEffect(flow, idle) || !hasEffect(flow, busy)) return false
  }
  return true
}

const hasEffect = (flow: Flow, branch: number): boolean =>
  flow.stateStores().some(({ block }) => flow.blockDominates(branch, block)) ||
  flow.externalCalls().some(({ block }) => flow.blockDominates(branch, block))

/** The balance, also without what came with this call: `address(this).balance - msg.value`. */
const isBalance = (value: Op): boolean => {
  const op = stripCasts(value)
  if (op.kind === 'bin') return op.operator === '-' && isPayment(op.args[1]!) && isBalance(op.args[0]!)
  return op.kind === 'builtin' && op.operator === 'balance'
}

const isPayment = (value: Op): boolean => {
  const op = stripCasts(value)
  return op.kind === 'env' && op.operator === 'msg.value'
}

const reportComparison = (flow: Flow, op: Op, hits: Hit[]): void => {
  hits.push({
    at: { start: op.start, end: op.end },
    message: 'Ether can be forced into the account, so its balance need not equal what the code expects.',
    trace: flow.trace(op),
  })
}

export default defineDetector({
  id: 'unexpected-gas-usage',
  swc: 'SWC-132',
  title: 'Gas or balance is not what the code expects',
  severity: 'medium',
  confidence: 'medium',
  description:
    'The code relies on something that changes without it: a loop over stored data that only grows costs more each time until it no longer fits into a block, and ether can be forced into any contract, so that an exact comparison with its balance fails for good.',
  recommendation:
    'Bound what loops run over or page through it. Keep your own account of ether received, and compare balances with `>=`, never with `==`.',
  references: [
    'https://swcregistry.io/docs/SWC-132',
    'https://docs.soliditylang.org/en/latest/security-considerations.html#gas-limit-and-loops',
  ],
  cwe: ['CWE-667', 'CWE-400'],
  yieldsTo: ['dos-block-gas-limit'],

  run(context) {
    const hits: Hit[] = []
    const seen = new Set<number>()
    for (const flow of context.functions) {
      if (!flow.isConstructor && flow.ir.loops.length > 0)
        for (const loop of loopsOf(flow)) {
          if (loop.grownBy !== 'privileged' || seen.has(loop.start)) continue
          const relief = reliefOf(flow, loop)
          if (!isHarmful(flow, loop, relief)) continue
          seen.add(loop.start)
          reportLoop(loop, relief !== 'none', hits)
        }
      for (const op of flow.ops('bin')) {
        if (!isExactBalance(flow, op) || seen.has(op.start)) continue
        seen.add(op.start)
        reportComparison(flow, op, hits)
      }
    }
    return hits
  },
})
