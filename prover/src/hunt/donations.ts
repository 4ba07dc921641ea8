/** A unit that nobody asked for reaches a contract: whatever an honest account could do before, it can do afterwards. */
import { actorWords, nameOfCall } from '../attacks/attack.ts'
import { ether } from '../scene/chain.ts'
import type { CallStep, Instance, Step } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { runSteps } from '../search/explore.ts'
import { adjust } from '../search/feedback.ts'
import type { Harm } from './harm.ts'
import type { HuntScene } from './hunt-scene.ts'

/** ERC-3156 asks borrowers for this answer. */
const loanAnswer = 0x439148f0bbc682ca079e46d6e2c2f0c1e3b820f1a291b069d8882abf8cf18dd9n
const maxAdjusted = 6

/** Steps that succeed without a donation; the last of them is the call in question. */
type Use = readonly Step[]

const gifts = ({ chain }: HuntScene, { address, contract }: Instance): Step[] => {
  const tokens = chain.tokens
    .filter(({ instance }) => instance.address !== address)
    .flatMap(({ instance: to }): Step[] => {
      const fn = to.contract.functions.find(({ name, inputs }) => name === 'transfer' && inputs.length === 2)
      return fn ? [{ kind: 'call', actor: 'attacker', via: null, to, fn, args: [address, 1n], value: 0n }] : []
    })
  return [...tokens, { kind: 'force', actor: 'attacker', to: { address, label: contract.name }, value: 1n }]
}

/** A loan that is repaid before the call ends: by a transfer from within, or taken back by the lender. */
const loans = ({ chain }: HuntScene, to: Instance): Use[] =>
  to.contract.functions
    .filter(({ name, isView }) => !isView && /flash|loan/i.test(name))
    .flatMap((fn) =>
      chain.tokens.flatMap(({ instance: token }) => {
        const transfer = token.contract.functions.find(({ name, inputs }) => name === 'transfer' && inputs.length === 2)
        const pool = { addresses: [chain.addressOf('AssayAgent'), token.address], numbers: [ether] }
        const lists = argumentLists(fn, pool, 4)
        return lists.flatMap((args) =>
          [0, 1].map(
            (times): Use => [
              {
                kind: 'prepare',
                to: token,
                fn: transfer ?? null,
                args: [to.address, ether],
                times,
                value: 0n,
                answer: loanAnswer,
              },
              { kind: 'call', actor: 'attacker', via: 'agent', to, fn, args, value: 0n },
            ],
          ),
        )
      }),
    )

/** Deposits that were made, and withdrawals that are possible. */
const honestUses = ({ chain, exits }: HuntScene, { address }: Instance): Use[] => {
  const made = chain.prologue.filter(
    (step): step is CallStep =>
      step.kind === 'call' && step.to.address === address && step.actor !== 'owner' && step.via === null,
  )
  return [...made, ...exits.map(({ step }) => step).filter(({ to }) => to.address === address)].map((step) => [step])
}

/** No argument that comparisons teach makes it succeed again. */
const isBlocked = async ({ chain, base }: HuntScene, gift: Step, use: Use): Promise<boolean> => {
  const queue: Use[] = [use]
  for (let tries = 0; tries < maxAdjusted; tries++) {
    const next = queue.shift()
    if (!next) break
    const { outcome, outcomes } = await runSteps(chain, base, [gift, ...next])
    if (outcomes.length <= next.length) return false
    if (outcome.ok) return false
    const last = next.at(-1) as CallStep
    queue.push(
      ...adjust(last, outcome, chain)
        .slice(0, 3)
        .map((variant) => [...next.slice(0, -1), ...variant]),
    )
  }
  return true
}

export const blockedByDonation = async (
  scene: HuntScene,
  target: Instance,
): Promise<{ harm: Harm; steps: readonly Step[] } | undefined> => {
  const { chain, base, budget } = scene
  for (const use of [...honestUses(scene, target), ...loans(scene, target)]) {
    const { outcome, outcomes } = await runSteps(chain, base, use)
    if (!budget.spend() || !outcome.ok || outcomes.length < use.length) continue
    for (const gift of gifts(scene, target)) {
      if (!(await isBlocked(scene, gift, use))) continue
      chain.restore(base)
      return tell(target, gift, use)
    }
  }
  chain.restore(base)
  return undefined
}

const tell = (at: Instance, gift: Step, use: Use): { harm: Harm; steps: readonly Step[] } => {
  const last = use.at(-1) as CallStep
  const who = last.via ? 'any borrower' : actorWords[last.actor]
  const what = gift.kind === 'force' ? '1 wei' : `1 unit of ${(gift as CallStep).to.contract.name}`
  return {
    steps: [gift, ...use],
    harm: {
      oracle: 'call-blocked-by-donation',
      harm: `after an outsider sent ${what} to ${at.contract.name}, ${nameOfCall(last.fn)} fails for ${who}`,
      assertion: { kind: 'blocked' },
      at,
      control: { change: 'the same without the donation', result: `${nameOfCall(last.fn)} succeeds` },
    },
  }
}
