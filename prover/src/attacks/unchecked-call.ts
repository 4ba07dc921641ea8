/**
 * SWC-104: the flagged call fails, and the contract goes on exactly as if it had succeeded. That harms someone when an honest person is not
 * paid and the contract's books say otherwise; a recipient who refuses on purpose, or the attacker's own contract, is no victim.
 */
import type { Outcome } from '../evm/machine.ts'
import { calleeOf, op, type TraceEvent } from '../evm/trace.ts'
import { ether } from '../scene/chain.ts'
import type { Actor, CallStep, PlantStep, Step, Via } from '../scene/step.ts'
import { inputWords } from '../scene/values.ts'
import { runSteps } from '../search/explore.ts'
import { slotsWritten } from '../search/feedback.ts'
import { type Attack, attackerPool, entriesOf, flaggedEvents, formatEther, type Proof, type Scene } from './attack.ts'
import { exploreForHarm, firstHarm } from './prefer-harm.ts'
import { replaceAddress, replaceVia } from './replace-address.ts'

const isCall = ({ op: code }: TraceEvent): boolean =>
  code === op.CALL || code === op.CALLCODE || code === op.DELEGATECALL

const stipend = 2300n

/** Neither ether nor a message, and no gas to do anything with: a payment of nothing, which nobody misses. */
const isIdle = ({ op: code, stack }: TraceEvent): boolean =>
  code === op.CALL && stack[2] === 0n && stack[4] === 0n && (stack[0] ?? 0n) <= stipend

const findCall = (scene: Scene, outcome: Outcome, result: bigint): TraceEvent | undefined =>
  flaggedEvents(scene, outcome).find((event) => isCall(event) && event.result === result)

/** Branches that the contract takes after the call: equal ones mean that it did not look at the result. */
const branchesAfter = ({ target }: Scene, { trace }: Outcome, call: TraceEvent): string =>
  trace
    .slice(trace.indexOf(call) + 1)
    .filter(({ op: code, code: where, depth }) => code === op.JUMPI && where === target.address && depth === call.depth)
    .map(({ pc, stack }) => `${pc}:${(stack[1] ?? 0n) !== 0n ? 1 : 0}`)
    .join(' ')

/** What the transaction wrote, as it stands in the end. */
const slotsAfter = ({ chain, target }: Scene, outcome: Outcome): [bigint, bigint][] => {
  const storage = chain.machine.storageOf(target.address)
  return [...slotsWritten(outcome, target.address)].slice(0, 3).map((slot) => [slot, storage.get(slot) ?? 0n])
}

/** Runs in which the call can succeed: the recipient accepts, or the amount is one that the contract has. */
const controls = function* (scene: Scene, steps: readonly Step[]): Generator<{ steps: Step[]; change: string }> {
  const { chain, target } = scene
  const [refuser, agent] = [chain.addressOf('AssayRefuser'), chain.addressOf('AssayAgent')]
  yield {
    steps: replaceVia(replaceAddress(steps, refuser, agent), 'refuser', 'agent'),
    change: 'the same calls with a recipient that accepts',
  }
  const last = steps.at(-1) as CallStep
  const held = chain.machine.balanceOf(target.address)
  for (const { word, replace } of inputWords(last.fn, last.args)) {
    const args = word > held ? replace(1n) : undefined
    if (args)
      yield {
        steps: [...steps.slice(0, -1), { ...last, args }],
        change: 'the same call with an amount that the contract has',
      }
  }
}

/** An account that the attacker does not choose, which may as well be a contract. */
const isExternalAccount = ({ chain }: Scene, address: string): boolean =>
  BigInt(address) > lastPrecompile && chain.machine.codeOf(address).length === 0

const lastPrecompile = 0xffffn

const isHonest = ({ chain }: Scene, address: string): boolean =>
  (['owner', 'alice', 'bob'] as const).some((who) => chain.actors[who] === address)

/** What may stand at the recipient's address: a wallet that needs more gas than `send` leaves it, a contract that refuses, a token that says no. */
const recipients = (scene: Scene, payee: string, call: TraceEvent): PlantStep['code'][] => {
  if (scene.chain.tokens.some(({ instance }) => instance.address === payee)) return ['AssayDenier']
  if (!isExternalAccount(scene, payee)) return []
  return isStipend(call) ? ['AssayWallet', 'AssayRefuser'] : ['AssayRefuser']
}

/** `send` and `transfer` leave the recipient so much gas. */
const isStipend = ({ op: code, stack }: TraceEvent): boolean => code === op.CALL && (stack[0] ?? 0n) <= stipend

/** The same calls once more, the recipient being a contract; as they were they are the control. */
const unpaidPayee = async (scene: Scene, steps: readonly Step[], paid: Outcome): Promise<Proof | undefined> => {
  const call = findCall(scene, paid, 1n)
  if (!call || isIdle(call)) return undefined
  const payee = calleeOf(call)
  scene.chain.restore(scene.base)
  for (const code of recipients(scene, payee, call)) {
    const proof = await unpaidBy(scene, steps, { paid, call }, { kind: 'plant', address: payee, code })
    if (proof) return proof
  }
  return undefined
}

const unpaidBy = async (
  scene: Scene,
  steps: readonly Step[],
  { paid, call }: { readonly paid: Outcome; readonly call: TraceEvent },
  plant: PlantStep,
): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const { address: payee, code } = plant
  const isToken = code === 'AssayDenier'
  const refused: Step[] = [...steps.slice(0, -1), plant, steps.at(-1) as Step]
  const { outcome } = await runSteps(chain, base, refused)
  // A token that returns false does so in a call that succeeds.
  const failed = outcome.ok ? findCall(scene, outcome, isToken ? 1n : 0n) : undefined
  const isUnnoticed = failed && branchesAfter(scene, outcome, failed) === branchesAfter(scene, paid, call)
  const slots = slotsAfter(scene, outcome)
  chain.restore(base)
  if (!isUnnoticed) return undefined
  return {
    steps: refused,
    status: code === 'AssayWallet' && isHonest(scene, payee) && slots.length > 0 ? 'confirmed' : 'executed',
    effects: [],
    harm: isToken
      ? 'the token moved nothing and answered false, and the transaction went on as if it had moved'
      : harmOf(failed),
    control: {
      change: `the same calls with ${controlWords[code]}`,
      result: 'the call succeeds, and the contract goes the very same way',
    },
    assertion: isToken
      ? { kind: 'succeeds' }
      : { kind: 'unpaid', recipient: `address(uint160(${BigInt(payee)}))`, slots },
  }
}

const controlWords: Record<PlantStep['code'], string> = {
  AssayDenier: 'a token that moves',
  AssayRefuser: 'a recipient that accepts',
  AssayWallet: 'a recipient without code',
}

const harmOf = (failed: TraceEvent): string => {
  const amount = failed.op === op.CALL ? (failed.stack[2] ?? 0n) : 0n
  const unpaid = amount > 0n ? ` and ${formatEther(amount)} were not paid` : ''
  return `the flagged call failed${unpaid}, and the transaction went on as if it had succeeded`
}

const asCaller = (scene: Scene, actor: Actor, via: Via | null): Promise<Proof | undefined> => {
  const { chain, target, base, budget } = scene
  const refuser = chain.addressOf('AssayRefuser')
  const pool = attackerPool(scene, [refuser])
  return exploreForHarm(
    chain,
    {
      target,
      entries: entriesOf(scene),
      caller: { actor, via },
      helpers: [
        { actor, via },
        { actor: 'attacker', via: 'refuser' },
      ],
      pool: { ...pool, numbers: [1n, ether, 0n, 10n ** 24n, 2n] },
      values: [0n, ether],
      async accept({ steps, outcome }) {
        const failed = outcome.ok ? findCall(scene, outcome, 0n) : undefined
        if (!failed || isIdle(failed)) return outcome.ok ? unpaidPayee(scene, steps, outcome) : undefined
        const after = branchesAfter(scene, outcome, failed)
        const slots = slotsAfter(scene, outcome)
        for (const control of controls(scene, steps)) {
          const run = await runSteps(chain, base, control.steps)
          const paid = run.outcome.ok ? findCall(scene, run.outcome, 1n) : undefined
          if (!paid || branchesAfter(scene, run.outcome, paid) !== after) continue
          chain.restore(base)
          const isRefused = calleeOf(failed) === refuser
          return {
            steps,
            // The attacker's own contract, or an amount that nobody was owed.
            status: 'executed',
            effects: [],
            harm: harmOf(failed),
            control: { change: control.change, result: 'the call succeeds, and the contract goes the very same way' },
            assertion: isRefused ? { kind: 'unpaid', recipient: 'refuser', slots } : { kind: 'succeeds' },
          }
        }
        return undefined
      },
    },
    budget,
  )
}

export const uncheckedCall: Attack = {
  swc: 'SWC-104',
  tries: 'recipients that cannot be paid, tokens that answer false, amounts that are not there',
  run: (scene) =>
    firstHarm([
      () => asCaller(scene, 'attacker', 'refuser'),
      () => asCaller(scene, 'alice', null),
      () => asCaller(scene, 'owner', null),
    ]),
}
