/**
 * SWC-114: a rival who sees a transaction waiting places one before it, or one before and one behind it, and its sender ends worse than
 * if all of the rival's had come afterwards. Only calls that touch what the other one touches can depend on the order.
 */
import type { AbiFunction } from '../evm/abi.ts'
import type { Outcome, Snapshot } from '../evm/machine.ts'
import { type Change, changeOf, gainOf, type Holdings, lossOf } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import type { Actor, CallStep, Step } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { type Attempt, explore, keyOf } from '../search/explore.ts'
import { slotsRead, slotsWritten } from '../search/feedback.ts'
import {
  type Attack,
  actorWords,
  allEntries,
  attackerPool,
  entriesOf,
  formatChange,
  gainAssertion,
  nameOfCall,
  type Proof,
  relatedEvents,
  type Scene,
  tokenOf,
} from './attack.ts'

const maxRivals = 16
/** Of the same functions in the same order, with other arguments. */
const maxAlike = 2
const maxVictimCalls = 8

/** What someone wants to do, after some preparation: the transaction that waits. */
interface Waiting {
  readonly victim: Actor
  readonly head: readonly Step[]
  readonly last: CallStep
}

/** Anyone who sees the victim's transaction waiting: an outsider, or the owner with the rights of one. */
const rivalCalls = (scene: Scene, { last, victim }: Waiting, actor: Actor): CallStep[] => {
  const pool = attackerPool(scene)
  const amounts = last.args.filter((value) => typeof value === 'bigint')
  const numbers = [...new Set([...amounts, 1n, 5n * ether, 0n])]
  const call = (fn: AbiFunction, args: CallStep['args']): CallStep[] =>
    (fn.isPayable ? [ether, 1n] : [0n]).map((value) => ({
      kind: 'call',
      actor,
      via: null,
      to: scene.target,
      fn,
      args,
      value,
    }))
  const others = scene.target.contract.functions
    .filter((fn) => !fn.isView)
    .sort((a, b) => Number(b.name === scene.finding.function) - Number(a.name === scene.finding.function))
    .flatMap((fn) => [
      ...fromVictim(fn, scene.chain.actors[victim], scene.chain.actors[actor], numbers).flatMap((args) =>
        call(fn, args),
      ),
      ...argumentLists(fn, { ...pool, numbers }, 3).flatMap((args) => call(fn, args)),
    ])
  const distinct = new Map([{ ...last, actor, via: null }, ...others].map((each) => [keyOf(each), each]))
  return [...distinct.values()].slice(0, maxRivals)
}

/** What moves something from one account to another is worth trying from the victim's to one's own. */
const fromVictim = (fn: AbiFunction, victim: string, rival: string, numbers: readonly bigint[]): CallStep['args'][] => {
  if (fn.inputs.filter(({ type }) => type === 'address').length < 2) return []
  let isFirst = true
  const [args = []] = argumentLists(fn, { addresses: [rival], numbers }, 1)
  return [
    args.map((value, index) => {
      if (fn.inputs[index]?.type !== 'address' || !isFirst) return value
      isFirst = false
      return victim
    }),
  ]
}

/** Every step, whatever became of those before: in an order that nobody chose for the victim a call may well fail. */
const runAll = async ({ chain }: Scene, from: Snapshot, steps: readonly Step[]): Promise<Outcome[]> => {
  chain.restore(from)
  const outcomes: Outcome[] = []
  for (const step of steps) outcomes.push(await chain.perform(step))
  return outcomes
}

interface Standing {
  readonly outcomes: readonly Outcome[]
  readonly isServed: boolean
  readonly victim: Holdings
  readonly rival: Holdings
}

/** The rival's calls before and behind the victim's; in the control run all of them come behind. */
interface Plan {
  readonly front: readonly CallStep[]
  readonly back: readonly CallStep[]
}

const play = async (scene: Scene, { victim, head, last }: Waiting, { front, back }: Plan): Promise<Standing> => {
  const outcomes = await runAll(scene, scene.base, [...head, ...front, last, ...back])
  const { chain } = scene
  return {
    outcomes,
    isServed: outcomes[head.length + front.length]?.ok ?? false,
    victim: chain.holdingsOf(victim),
    rival: chain.loot(),
  }
}

const strike = async (scene: Scene, waiting: Waiting, plan: Plan): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const { victim, head, last } = waiting
  const second = await play(scene, waiting, { front: [], back: [...plan.front, ...plan.back] })
  if (!second.isServed) return undefined
  const first = await play(scene, waiting, plan)
  chain.restore(base)
  const start = chain.loot()
  const before = chain.holdingsOf(victim)
  // What was prepared before is not what the order is about.
  const isTouched = [first, second].some(({ outcomes }) =>
    outcomes.slice(head.length).some((each) => relatedEvents(scene, each).length > 0),
  )
  const rivals = first.outcomes.filter((_, index) => index >= head.length && index !== head.length + plan.front.length)
  if (!isTouched || rivals.some(({ ok }) => !ok)) return undefined
  const loss = lossOf(first.victim, second.victim)
  const profit = gainOf(first.rival, second.rival) && gainOf(first.rival, start)
  // A call that fails costs its sender nothing, unless the rival took what it was after.
  const isHarmed = first.isServed ? loss : profit && plan.back.length === 0
  // What is more than one call is worth the trouble only to a user who gains by it.
  if (!isHarmed || (plan.back.length > 0 && !profit)) return undefined
  const rival = plan.front[0] as CallStep
  const [who, name] = [actorWords[victim], nameOfCall(last.fn)]
  const what = first.isServed && loss ? `costs ${who} ${formatChange(scene, loss)}` : 'makes it fail'
  const again = plan.back.length > 0 ? ', and made once more behind it,' : ','
  return {
    steps: [...head, ...plan.front, last, ...plan.back],
    status: 'confirmed',
    effects: [],
    harm: `${nameOfCall(rival.fn)} of ${actorWords[rival.actor]}, placed before ${name} of ${who}${again} ${what}`,
    control: {
      change: 'the same transactions in the other order',
      result: `${name} of ${who} succeeds and costs no more`,
    },
    assertion: assertionFor(scene, first, { victim, start, before, loss }),
  }
}

const assertionFor = (
  scene: Scene,
  first: Standing,
  { victim, start, before, loss }: { victim: Actor; start: Holdings; before: Holdings; loss: Change | undefined },
): Proof['assertion'] => {
  if (!first.isServed) return { kind: 'blocked' }
  const gain = gainOf(first.rival, start)
  if (gain) return gainAssertion(scene, gain)
  const asset = loss?.asset ?? 0
  return { kind: 'poorer', who: victim, most: changeOf(first.victim, before, asset), ...tokenOf(scene, asset) }
}

const touchedBy = ({ target }: Scene, outcome: Outcome): Set<bigint> =>
  new Set([...slotsRead(outcome, target.address), ...slotsWritten(outcome, target.address)])

/** Calls of rivals that succeed before the victim's and touch what that one touches. */
const dependentRivals = async (scene: Scene, waiting: Waiting): Promise<CallStep[]> => {
  const { chain, base, target, budget } = scene
  await runAll(scene, base, waiting.head)
  const ready = chain.snapshot()
  const [wanted] = await runAll(scene, ready, [waiting.last])
  if (!wanted?.ok) return []
  const slots = touchedBy(scene, wanted)
  const written = slotsWritten(wanted, target.address)
  const found: CallStep[] = []
  const granted = new Set<AbiFunction | null>()
  const actors: Actor[] = waiting.victim === 'owner' ? ['attacker'] : ['attacker', 'owner']
  for (const actor of actors)
    for (const call of rivalCalls(scene, waiting, actor)) {
      // What anyone may call tells nothing new when the owner calls it.
      if (actor === 'owner' && granted.has(call.fn)) continue
      if (!budget.spend()) return found
      const [outcome] = await runAll(scene, ready, [call])
      if (!outcome?.ok) continue
      granted.add(call.fn)
      const writes = slotsWritten(outcome, target.address)
      const touches = touchedBy(scene, outcome)
      if ([...writes].some((slot) => slots.has(slot)) || [...written].some((slot) => touches.has(slot)))
        found.push(call)
    }
  return found
}

const asVictim = (
  scene: Scene,
  victim: Actor,
  entries: readonly (AbiFunction | null)[],
): Promise<Proof | undefined> => {
  const { chain, target, budget } = scene
  const tried = new Map<string, number>()
  const isTiresome = ({ steps }: Attempt): boolean => {
    const shape = steps.map((step) => (step.kind === 'call' ? nameOfCall(step.fn) : step.kind)).join()
    const alike = tried.get(shape) ?? 0
    const all = [...tried.values()].reduce((sum, count) => sum + count, 0)
    if (alike >= maxAlike || all >= maxVictimCalls) return true
    tried.set(shape, alike + 1)
    return false
  }
  return explore<Proof>(
    chain,
    {
      target,
      entries,
      caller: { actor: victim, via: null },
      helpers: [...new Set<Actor>([victim, 'owner'])].map((actor) => ({ actor, via: null })),
      // Whom the victim deals with is the rival, to begin with.
      pool: { ...attackerPool(scene, [chain.actors.attacker, chain.actors[victim]]), numbers: [1n, ether, 0n] },
      values: [0n, ether],
      async accept(attempt: Attempt) {
        if (!attempt.outcome.ok || isTiresome(attempt)) return undefined
        const last = attempt.steps.at(-1) as CallStep
        // Also as something that the victim does for the second time, such as changing what was granted before.
        for (const head of [attempt.steps.slice(0, -1), attempt.steps]) {
          const waiting = { victim, head, last }
          for (const rival of await dependentRivals(scene, waiting)) {
            const plans: Plan[] = [{ front: [rival], back: [] }]
            if (rival.actor === 'attacker') plans.push({ front: [rival], back: [rival] })
            for (const plan of plans) {
              const proof = budget.spend() ? await strike(scene, waiting, plan) : undefined
              if (proof) return proof
            }
          }
        }
        return undefined
      },
    },
    budget,
  )
}

export const transactionOrder: Attack = {
  swc: 'SWC-114',
  tries: "a rival's call before a user's call, and behind it",
  run: async (scene) => {
    const flagged = entriesOf(scene)
    const others = allEntries(scene).filter((fn) => !flagged.includes(fn))
    return (
      (await asVictim(scene, 'alice', flagged)) ??
      (await asVictim(scene, 'alice', others)) ??
      (await asVictim(scene, 'owner', flagged))
    )
  },
}
