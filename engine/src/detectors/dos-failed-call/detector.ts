import {
  dependsOn,
  guardsAt,
  isSender,
  loopAround,
  outsiderCanSetPlace,
  resultUse,
  writesAfter,
} from '../../facts/index.ts'
import { tokenCalls, tradeOf } from '../../idioms/index.ts'
import { type Flow, type Location, type Op, sameValue, stripCasts } from '../../ir/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

export default defineDetector({
  id: 'dos-failed-call',
  swc: 'SWC-113',
  title: 'A failing call blocks others',
  severity: 'high',
  confidence: 'medium',
  description:
    'A payment that must succeed goes to an address that somebody else chose. A contract that refuses ether makes it fail, and with it the business of everybody who shares the loop or comes next.',
  recommendation: 'Let each recipient withdraw on its own (pull payments), or skip recipients whose payment fails.',
  references: [
    'https://swcregistry.io/docs/SWC-113',
    'https://docs.soliditylang.org/en/latest/common-patterns.html#withdrawal-from-contracts',
  ],
  cwe: ['CWE-703'],

  run(context) {
    const hits: Hit[] = []
    const seen = new Set<number>()
    for (const flow of context.functions) {
      if (flow.isConstructor || !flow.has('call')) continue
      for (const call of flow.externalCalls()) {
        const hit = seen.has(call.start) ? null : blockingCall(flow, call)
        if (hit === null) continue
        seen.add(call.start)
        hits.push(hit)
      }
      addBlockingTransfers(flow, seen, hits)
      addBurdenedTransfers(flow, seen, hits)
    }
    return hits
  },
})

const blockingCall = (flow: Flow, call: Op): Hit | null => {
  const info = call.call!
  if (info.target === null || info.isStatic || info.kind === 'delegate' || info.isTried) return null
  const target = stripCasts(info.target)
  const place = target.kind === 'load' ? storedPlace(target) : null
  if (place === null || !revertsOnFailure(flow, call)) return null
  const position = positionOf(flow, call, target, place)
  if (position === null) return null
  return {
    at: { start: call.start, end: call.end },
    message: info.value === null ? 'One callee that refuses this call reverts the whole loop.' : positions[position],
    trace: flow.trace(call),
  }
}

const positions = {
  list: 'One recipient that refuses this payment reverts the whole loop.',
  line: 'The next in line can refuse this payment, and then nobody behind it is paid.',
  seat: 'The stored recipient can refuse this payment, and then nobody can take its place.',
}

/** Whom the one who is called keeps waiting: all of the loop, those behind it, or who wants to take its place. */
const positionOf = (flow: Flow, call: Op, target: Op, place: Location): keyof typeof positions | null => {
  const loop = loopAround(flow, call)
  const inList = loop !== undefined && isListElement(flow, target, loop.mark.header)
  // Contracts that a privileged account has chosen do what is asked of them; whoever is to be paid may not.
  if (call.call!.value === null || isErrand(call))
    return inList && place.parent?.part === 'root' && outsiderCanSetPlace(flow.whole, place) ? 'list' : null
  if (inList) return 'list'
  if (isForSender(flow, call, target)) return null
  if (target.location === place && isSeat(flow, call, target)) return 'seat'
  return isNextInLine(flow, place) ? 'line' : null
}

/** A call with data of its own: something to be done, not a payment that others wait for. */
const isErrand = ({ call, args }: Op): boolean => {
  const data = call!.kind === 'lowlevel' ? args[0] : undefined
  return data !== undefined && (data.kind === 'load' || data.kind === 'param')
}

/** Where in the state a value lies, also when the struct or the list around it was copied to memory first. */
const storedPlace = ({ location }: Op): Location | null => {
  if (location!.space !== 'memory') return location
  const copied = location!.base === null ? null : stripCasts(location!.base)
  return copied?.kind === 'load' && copied.location!.space === 'state' ? copied.location : null
}

/** The element at a stored position that only this function moves on, and only when the payment went through. */
const isNextInLine = (flow: Flow, place: Location): boolean => {
  for (let at: Location | null = place; at !== null; at = at.parent) {
    const index = at.index === null ? null : stripCasts(at.index)
    if (index?.kind !== 'load' || index.location!.space !== 'state' || index.location!.part !== 'root') continue
    const { variable } = index.location!
    if (variable === null || !flow.stateStores().some(({ location }) => location === index.location)) continue
    const isMovedHere = flow.whole
      .writersOf(variable)
      .every(({ flow: writer }) => writer === flow || writer.isConstructor)
    if (isMovedHere && outsiderCanSetPlace(flow.whole, place)) return true
  }
  return false
}

/** Tokens for everybody on a stored list: a token that refuses one of them (a blocked or an empty address) refuses all. */
const addBlockingTransfers = (flow: Flow, seen: Set<number>, hits: Hit[]): void => {
  if (flow.ir.loops.length === 0) return
  for (const { op, name, to } of tokenCalls(flow)) {
    if (name === 'approve' || op.call!.isTried) continue
    const target = stripCasts(to)
    const loop = loopAround(flow, op)
    if (loop === undefined || target.kind !== 'load' || target.location!.space === 'memory') continue
    if (!isListElement(flow, target, loop.mark.header) || seen.has(op.start)) continue
    seen.add(op.start)
    hits.push({
      at: { start: op.start, end: op.end },
      confidence: 'low',
      message: 'One recipient that the token refuses (blocked, or the zero address) reverts the whole loop.',
      trace: flow.trace(op),
    })
  }
}

const transfers = new Set(['transfer(address,uint256)', 'transferFrom(address,address,uint256)'])

/** A token that does other business while somebody transfers: when that fails, nobody can transfer any more. */
const addBurdenedTransfers = (flow: Flow, seen: Set<number>, hits: Hit[]): void => {
  if (!flow.isEntryPoint || flow.fn === null || flow.externalCalls().length === 0) return
  if (flow.fn.name !== 'transfer' && flow.fn.name !== 'transferFrom') return
  if (!transfers.has(flow.fn.signature) || !flow.stateStores().some(({ location }) => location!.index !== null)) return
  for (const op of flow.externalCalls()) {
    const info = op.call!
    if (info.target === null || info.isStatic || info.isTried || !info.bubbles || !isStored(info.target)) continue
    // Of a function of a missing file it is not known whether it only looks something up.
    const isBusiness = info.definition !== null || info.value !== null || tradeOf(flow, op) !== null
    if (!isBusiness || info.definition?.mutability === 'view' || info.definition?.mutability === 'pure') continue
    if (resultUse(flow, op) === 'checked' || isAboutParties(flow, op) || seen.has(op.start)) continue
    seen.add(op.start)
    hits.push({
      at: { start: op.start, end: op.end },
      confidence: 'low',
      message: 'This call is made while somebody transfers tokens: when it fails, so does their transfer.',
      trace: flow.trace(op),
    })
  }
}

/** Told who transfers to whom: it belongs to the rules of this token, and may refuse. */
const isAboutParties = (flow: Flow, { call, args }: Op): boolean =>
  call!.value === null &&
  args.some(
    (arg) => isSender(arg) || (stripCasts(arg).kind === 'param' && flow.typeOf(stripCasts(arg))?.kind === 'address'),
  )

/** Not one that was fixed with the token itself, of which it is a part. */
const isStored = (target: Op): boolean => {
  const op = stripCasts(target)
  if (op.kind !== 'load' || op.location!.space !== 'state' || op.location!.part !== 'root') return false
  return op.location!.variable?.isImmutable !== true && op.location!.variable?.isConstant !== true
}

/** The failure of this call undoes the whole transaction. */
const revertsOnFailure = (flow: Flow, call: Op): boolean => {
  if (call.call!.bubbles) return true
  return flow.ops('assume').some((assume) => isOutcome(assume.args[0]!, call, 0)) || failureReverts(flow, call)
}

const isOutcome = (value: Op, call: Op, depth: number): boolean => {
  const op = stripCasts(value)
  if (op === call) return true
  if (depth > 3) return false
  if (op.kind === 'extract') return op.args[0] === call && (op.constant === 0n || op.operator === 'success')
  return op.kind === 'bin' && op.operator !== '||' && op.args.some((arg) => isOutcome(arg, call, depth + 1))
}

/** `if (!x.send(y)) revert();` */
const failureReverts = (flow: Flow, call: Op): boolean =>
  flow.blocks.some((block) => {
    if (block.condition === null || block.succs.length !== 2) return false
    let condition = block.condition
    let failed = block.succs[1]!
    if (condition.kind === 'un' && condition.operator === '!') {
      condition = condition.args[0]!
      failed = block.succs[0]!
    }
    if (!isOutcome(condition, call, 0)) return false
    const last = flow.blocks[failed]!.ops
    return last[last.length - 1]?.kind === 'revert'
  })

/** An element of a stored list that the loop runs through. */
const isListElement = (flow: Flow, target: Op, header: number): boolean => {
  const stored = storedPlace(target)
  return isCounted(flow, target.location!, header) || (stored !== target.location && isCounted(flow, stored!, header))
}

const isCounted = (flow: Flow, element: Location, header: number): boolean => {
  for (let place: Location | null = element; place !== null; place = place.parent) {
    if (place.index === null) continue
    const index = place.index
    if (isGivenByCaller(index)) continue
    if (dependsOn(flow, index, (op) => op.kind === 'phi' && op.block === header, { keys: true })) return true
  }
  return false
}

/** Taken from a list that the caller hands in, and can hand in without the one that refuses. */
const isGivenByCaller = (index: Op): boolean => {
  const op = stripCasts(index)
  if (op.kind !== 'load' || op.location!.space !== 'memory' || op.location!.base === null) return false
  return stripCasts(op.location!.base).kind === 'param'
}

/** A seat that one holds at a time: the holder is paid, then replaced. */
const isSeat = (flow: Flow, call: Op, target: Op): boolean => {
  const info = call.call!
  if (info.value === null || !outsiderCanSetPlace(flow.whole, target.location!)) return false
  const place = target.location!
  return (
    writesAfter(flow, call).some((write) => write.location === place) ||
    // Or replaced, then paid from what was read before.
    flow
      .stateStores()
      .some(
        (store) =>
          store.location === place && store.id > target.id && isSender(store.args[0]!) && flow.canFollow(store, call),
      )
  )
}

/** The holder itself asks for its own: whoever refuses keeps only itself from being paid. */
const isForSender = (flow: Flow, call: Op, target: Op): boolean =>
  guardsAt(flow, call).some(({ condition, polarity }) => {
    if (condition.kind !== 'bin' || (condition.operator === '==') !== polarity) return false
    if (condition.operator !== '==' && condition.operator !== '!=') return false
    const [a, b] = condition.args as [Op, Op]
    return (isSender(a) && sameValue(b, target)) || (isSender(b) && sameValue(a, target))
  })
