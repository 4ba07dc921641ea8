/**
 * SWC-107: the attacker's contract is called before the bookkeeping is done, and calls back. The control makes the same calls
 * one after another: what the contract grants inside of a call and refuses after it, or pays only because of the nesting, is the harm.
 */
import type { AbiFunction } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { calleeOf, callOps, comparisonOps, op, type TraceEvent } from '../evm/trace.ts'
import { changeOf, gainOf } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import type { CallStep, PrepareStep, Step } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { type Attempt, runSteps } from '../search/explore.ts'
import {
  type Attack,
  attackerPool,
  changeWords,
  entriesOf,
  formatChange,
  gainAssertion,
  nameOfCall,
  type Proof,
  relatedEvents,
  type Scene,
} from './attack.ts'
import { exploreForHarm } from './prefer-harm.ts'

const maxSiblings = 16
const gasToCallBack = 20_000n

/** The flagged call reaches the attacker's contract with enough gas to call back: itself, or by the hook of a token that it moves. */
const callsAttacker = (scene: Scene, outcome: Outcome): boolean => {
  const { chain } = scene
  const agent = chain.addressOf('AssayAgent')
  const token = chain.addressOf('AssayHookToken')
  const isTo = (callee: string) => (event: TraceEvent) =>
    event.op === op.CALL && calleeOf(event) === callee && (event.stack[0] ?? 0n) > gasToCallBack
  const related = relatedEvents(scene, outcome)
  if (related.some(isTo(agent))) return true
  return related.some(isTo(token)) && outcome.trace.some((event) => event.address === token && isTo(agent)(event))
}

/** The flagged call carried ether. */
const pays = (scene: Scene, outcome: Outcome): boolean =>
  relatedEvents(scene, outcome).some((event) => event.op === op.CALL && (event.stack[2] ?? 0n) > 0n)

type Reentry = Pick<PrepareStep, 'fn' | 'args' | 'value'>

/** The same call first, then the others; those that pay or move something come with the amounts already in play. */
const reentries = (scene: Scene, last: CallStep): Reentry[] => {
  const pool = attackerPool(scene, [scene.chain.actors.attacker])
  const siblings = scene.target.contract.functions
    .filter((fn) => !fn.isView && fn !== last.fn)
    .flatMap((fn) =>
      argumentLists(fn, pool, 2).flatMap((args) => paymentsOf(fn, last).map((value) => ({ fn, args, value }))),
    )
  return [{ fn: last.fn, args: last.args, value: last.value }, ...siblings.slice(0, maxSiblings)]
}

/** As much as the call itself carries, and an ether that the contract may just have lent. */
const paymentsOf = ({ isPayable }: AbiFunction, { value }: CallStep): bigint[] =>
  isPayable ? [...new Set([value, ether])] : [0n]

const nestedSuccesses = (scene: Scene, { trace }: Outcome): number => {
  const agent = scene.chain.addressOf('AssayAgent')
  return trace.filter(
    (event) =>
      event.op === op.CALL &&
      event.address === agent &&
      event.depth >= 2 &&
      calleeOf(event) === scene.target.address &&
      event.result === 1n,
  ).length
}

/** The answer that the agent is set to give. */
const answerIn = (steps: readonly Step[]): bigint | undefined =>
  steps.findLast((step): step is PrepareStep => step.kind === 'prepare')?.answer

const maxAnswers = 3

/** The contract asks the agent and does not like the answer: what it was compared with, or yes, may please it more. */
const otherAnswers = ({ chain, target }: Scene, { steps, outcome }: Attempt): Step[][] => {
  const last = steps.at(-1)
  const agent = chain.addressOf('AssayAgent')
  const calledAt = outcome.trace.findIndex((event) => callOps.has(event.op) && calleeOf(event) === agent)
  if (outcome.ok || calledAt < 0 || last?.kind !== 'call' || steps.some(({ kind }) => kind === 'prepare')) return []
  const liked = outcome.trace
    .slice(calledAt)
    .flatMap(({ op: code, stack: [a = 0n, b = 0n] }) =>
      comparisonOps.has(code) && (a === 0n || b === 0n) ? [a === 0n ? b : a] : [],
    )
  return [...new Set([1n, ...liked])]
    .filter((answer) => answer > 0n)
    .slice(0, maxAnswers)
    .map((answer) => [
      ...steps.slice(0, -1),
      { kind: 'prepare', to: target, fn: null, args: [], times: 0, value: 0n, answer },
      last,
    ])
}

const strike = async (scene: Scene, attempt: Attempt, reentry: Reentry, times: number): Promise<Proof | undefined> => {
  const { chain, target, base } = scene
  const head = attempt.steps.slice(0, -1)
  const last = attempt.steps.at(-1) as CallStep
  const prepare: Step = { kind: 'prepare', to: target, ...reentry, times, answer: answerIn(head) ?? 1n }
  const attack = await runSteps(chain, base, [...head, prepare, last])
  const nested = nestedSuccesses(scene, attack.outcome)
  if (!attack.outcome.ok || nested === 0) return undefined
  const loot = chain.loot()
  const storage = chain.machine.storageOf(target.address)

  await runSteps(chain, base, [...head, last])
  let granted = 0
  for (let count = 0; count < nested; count++) if ((await chain.perform({ ...last, ...reentry })).ok) granted++
  const lootInOrder = chain.loot()
  const storageInOrder = chain.machine.storageOf(target.address)
  chain.restore(base)
  const start = chain.loot()

  const gain = gainOf(loot, lootInOrder) && gainOf(loot, start)
  // What was paid for calls that are refused afterwards bought something: it is no loss.
  const paid = reentry.value * BigInt(nested - granted)
  const isGrantedMore =
    granted < nested && !isSameStorage(storage, storageInOrder) && changeOf(loot, lootInOrder, 0) + paid >= 0n
  if (!gain && (isGrantedMore || !attempt.outcome.ok)) {
    const harvested = await harvest(scene, { head, prepare, last, reentry, nested })
    if (harvested) return harvested
  }
  if (!gain && !isGrantedMore) return undefined
  const often = nested === 1 ? 'once' : `${nested} times`
  return {
    steps: [...head, prepare, last],
    status: gain ? 'confirmed' : 'executed',
    effects: [],
    harm: gain
      ? `the attacker re-entered ${nameOfCall(reentry.fn)} ${often} and gained ${formatChange(scene, gain)}`
      : `the attacker re-entered ${nameOfCall(reentry.fn)} ${often}, which the contract refuses after the call`,
    control: {
      change: 'the same calls one after another, without re-entering',
      result: `${changeWords(scene, lootInOrder, start, gain?.asset ?? 0)}, and ${granted} of ${nested} further calls succeed`,
    },
    assertion: gain ? gainAssertion(scene, gain) : { kind: 'granted', least: nested },
  }
}

interface Granted {
  readonly head: readonly Step[]
  readonly prepare: Step
  readonly last: CallStep
  readonly reentry: Reentry
  readonly nested: number
}

const maxHarvests = 8

/** Calls that may pay out what was credited: with the amounts and addresses of the credit first. */
const takesAfter = (scene: Scene, last: CallStep, reentry: Reentry): CallStep[] => {
  const { chain, target } = scene
  const base = attackerPool(scene, [chain.addressOf('AssayAgent')])
  const credited = {
    addresses: [...reentry.args.filter((value) => typeof value === 'string'), ...base.addresses],
    numbers: [...reentry.args.filter((value) => typeof value === 'bigint'), ...base.numbers],
  }
  // What was credited to an account is taken by that account.
  const isOthers = reentry.args.includes(chain.actors.attacker)
  const takers = isOthers ? [last.via, null] : [last.via]
  return target.contract.functions
    .filter(({ isView, isPayable }) => !isView && !isPayable)
    .slice(0, maxHarvests)
    .flatMap((fn) => {
      const lists = [credited, base].map((pool) => argumentLists(fn, pool, 1)[0] ?? [])
      return lists
        .filter((args, at) => at === 0 || String(args) !== String(lists[0]))
        .flatMap((args) => takers.map((via): CallStep => ({ ...last, via, fn, args, value: 0n })))
    })
}

/** What was granted from within may be taken afterwards: a loan that was repaid as a deposit is withdrawn. */
const harvest = async (scene: Scene, { head, prepare, last, reentry, nested }: Granted): Promise<Proof | undefined> => {
  const { chain, base, budget } = scene
  for (const take of takesAfter(scene, last, reentry)) {
    if (!budget.spend()) return undefined
    const steps = [...head, prepare, last, take]
    const attack = await runSteps(chain, base, steps)
    const loot = chain.loot()
    await runSteps(chain, base, [...head, last])
    for (let count = 0; count < nested; count++) await chain.perform({ ...last, ...reentry })
    await chain.perform(take)
    const lootInOrder = chain.loot()
    chain.restore(base)
    const start = chain.loot()
    const gain = gainOf(loot, lootInOrder) && gainOf(loot, start)
    if (!attack.outcome.ok || attack.outcomes.length < steps.length || !gain) continue
    return {
      steps,
      status: 'confirmed',
      effects: [],
      harm: `the attacker re-entered ${nameOfCall(reentry.fn)} from ${nameOfCall(last.fn)}, was credited, withdrew by ${nameOfCall(take.fn)} and gained ${formatChange(scene, gain)}`,
      control: {
        change: 'the same calls one after another, without re-entering',
        result: changeWords(scene, lootInOrder, start, gain.asset),
      },
      assertion: gainAssertion(scene, gain),
    }
  }
  return undefined
}

/** What was lent has to come back before the call ends: by whatever takes ether or the token. */
const repayFromWithin = async (scene: Scene, attempt: Attempt): Promise<Proof | undefined> => {
  if (attempt.outcomes.length < attempt.steps.length) return undefined
  for (const reentry of [...repaymentsInEther(scene, attempt), ...repaymentsInTokens(scene, attempt)]) {
    const proof = scene.budget.spend() ? await strike(scene, attempt, reentry, 1) : undefined
    if (proof?.status === 'confirmed') return proof
  }
  return undefined
}

const repaymentsInEther = (scene: Scene, { outcome }: Attempt): Reentry[] => {
  const lent = relatedEvents(scene, outcome).find((event) => event.op === op.CALL)?.stack[2] ?? 0n
  if (lent === 0n || lent > 10n * ether) return []
  const pool = attackerPool(scene)
  return scene.target.contract.functions
    .filter(({ isPayable }) => isPayable)
    .slice(0, maxHarvests)
    .map((fn) => ({ fn, args: argumentLists(fn, pool, 1)[0] ?? [], value: lent }))
}

/** Twice what was lent, so that a fee is paid too: the attacker's contract has tokens of its own. */
const repaymentsInTokens = (scene: Scene, { steps, outcome }: Attempt): Reentry[] => {
  const { chain, target } = scene
  const last = steps.at(-1) as CallStep
  const lent = last.args.find((value) => typeof value === 'bigint' && value > 1000n && value <= 10n * ether)
  const moved = chain.tokens.filter(({ instance }) =>
    outcome.trace.some(
      (event) => event.op === op.CALL && event.address === target.address && calleeOf(event) === instance.address,
    ),
  )
  if (typeof lent !== 'bigint') return []
  return moved.flatMap(({ instance }) => {
    const pool = { addresses: [instance.address, chain.addressOf('AssayAgent')], numbers: [2n * lent] }
    return target.contract.functions
      .filter((fn) => !fn.isView && !fn.isPayable && fn !== last.fn && fn.inputs.some(({ type }) => type === 'uint256'))
      .slice(0, maxHarvests)
      .map((fn) => ({ fn, args: argumentLists(fn, pool, 1)[0] ?? [], value: 0n }))
  })
}

const isSameStorage = (a: ReadonlyMap<bigint, bigint>, b: ReadonlyMap<bigint, bigint>): boolean =>
  a.size === b.size && [...a].every(([slot, value]) => b.get(slot) === value)

export const reentrancy: Attack = {
  swc: 'SWC-107',
  tries: 'a contract that calls back the same function and others',
  otherTokens: ['AssayHookToken'],
  run: (scene) => {
    const { chain, target, budget } = scene
    const tried = { paying: 0, idle: 0 }
    return exploreForHarm(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: 'agent' },
        pool: attackerPool(scene, [chain.addressOf('AssayAgent')]),
        values: [0n, ether],
        suggest: (attempt) => otherAnswers(scene, attempt),
        async accept(attempt) {
          if (!callsAttacker(scene, attempt.outcome)) return undefined
          if (!attempt.outcome.ok) return repayFromWithin(scene, attempt)
          const last = attempt.steps.at(-1) as CallStep
          const [same, ...siblings] = reentries(scene, last)
          let executed: Proof | undefined
          for (const times of [1, 8]) {
            const proof = same && (await strike(scene, attempt, same, times))
            if (proof?.status === 'confirmed') return proof
            executed ??= proof
          }
          // A payment of nothing says little about what a sibling could do with more.
          const kind = pays(scene, attempt.outcome) ? 'paying' : 'idle'
          if (tried[kind]++ > 2) return executed
          for (const sibling of siblings) {
            const proof = budget.spend() ? await strike(scene, attempt, sibling, 1) : undefined
            if (proof?.status === 'confirmed') return proof
            executed ??= proof
          }
          return executed
        },
      },
      budget,
    )
  },
}
