/** A unit that nobody requested reaches a contract: whatever an honest account could do before, it can do afterwards. */
import { comparisonOps } from '../evm/trace.ts'
import { ether } from '../scene/chain.ts'
import type { CallStep, Instance, Step } from '../scene/step.ts'
import { argumentLists } from '../scene/values.ts'
import { runSteps } from '../search/explore.ts'
import { adjust } from '../search/feedback.ts'
import { type Attack, actorWords, allEntries, flaggedEvents, nameOfCall, type Proof, type Scene } from './attack.ts'

/** ERC-3156 asks borrowers for this answer. */
const loanAnswer = 0x439148f0bbc682ca079e46d6e2c2f0c1e3b820f1a291b069d8882abf8cf18dd9n
const maxAdjusted = 6

/** Steps that succeed without a donation; the last of them is the call in question. */
type Use = readonly Step[]

const gifts = ({ chain, target: { address, contract } }: Scene): Step[] => {
  const tokens = chain.tokens
    .filter(({ instance }) => instance.address !== address)
    .flatMap(({ instance: to }): Step[] => {
      const fn = to.contract.functions.find(({ name, inputs }) => name === 'transfer' && inputs.length === 2)
      return fn ? [{ kind: 'call', actor: 'attacker', via: null, to, fn, args: [address, 1n], value: 0n }] : []
    })
  return [...tokens, { kind: 'force', actor: 'attacker', to: { address, label: contract.name }, value: 1n }]
}

/** A loan that is repaid before the call ends: by a transfer from within, or taken back by the lender. */
const loans = ({ chain, target: to }: Scene): Use[] =>
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

/** Deposits that were made; others may be given. */
const deposits = ({ chain, target }: Scene): Use[] =>
  chain.prologue
    .filter(
      (step): step is CallStep =>
        step.kind === 'call' && step.to.address === target.address && step.actor !== 'owner' && step.via === null,
    )
    .map((step) => [step])

/** Every function with likely arguments, as Alice calls it. */
const callsOfAlice = (scene: Scene): Use[] => {
  const { chain, target } = scene
  const pool = { addresses: [chain.actors.alice], numbers: [ether, 1n] }
  return allEntries(scene).flatMap((fn) =>
    argumentLists(fn, pool, 2).map(
      (args): Use => [{ kind: 'call', actor: 'alice', via: null, to: target, fn, args, value: 0n }],
    ),
  )
}

/** The flagged code runs in the call that fails, and no argument that comparisons teach makes it succeed again. */
const isBlocked = async (scene: Scene, gift: Step, use: Use): Promise<boolean> => {
  const { chain, base } = scene
  const queue: Use[] = [use]
  for (let tries = 0; tries < maxAdjusted; tries++) {
    const next = queue.shift()
    if (!next) break
    const { outcome, outcomes } = await runSteps(chain, base, [gift, ...next])
    if (outcomes.length <= next.length || outcome.ok) return false
    if (tries === 0 && flaggedEvents(scene, outcome).length === 0) return false
    const last = next.at(-1) as CallStep
    const variants = adjust(last, outcome, chain).slice(0, 3)
    queue.push(...variants.map((variant) => [...next.slice(0, -1), ...variant]))
  }
  return true
}

/** The steps where they succeed: as they are, or with the answer that the lender compares the borrower's with. */
const grantedUse = async ({ chain, base }: Pick<Scene, 'chain' | 'base'>, use: Use): Promise<Use | undefined> => {
  const { outcome, outcomes } = await runSteps(chain, base, use)
  if (outcome.ok && outcomes.length === use.length) return use
  const [first, ...rest] = use
  if (first?.kind !== 'prepare' || first.answer !== loanAnswer) return undefined
  const answer = outcome.trace
    .filter(({ op }) => comparisonOps.has(op))
    .map(({ stack: [a, b] }) => (a === loanAnswer ? b : b === loanAnswer ? a : loanAnswer))
    .find((word) => word !== undefined && word !== loanAnswer)
  return answer === undefined ? undefined : grantedUse({ chain, base }, [{ ...first, answer }, ...rest])
}

/** `uses`: calls of honest accounts that are known to succeed, beside deposits and loans. */
export const blockedByDonation = async (scene: Scene, uses: readonly Use[]): Promise<Proof | undefined> => {
  const { chain, base, budget, target } = scene
  for (const use of [...deposits(scene), ...uses, ...loans(scene)]) {
    if (!budget.spend()) break
    const granted = await grantedUse(scene, use)
    for (const gift of granted ? gifts(scene) : []) {
      if (!granted || !(await isBlocked(scene, gift, granted))) continue
      chain.restore(base)
      return donationProof(target, gift, granted)
    }
  }
  chain.restore(base)
  return undefined
}

const donationProof = ({ contract }: Instance, gift: Step, use: Use): Proof => {
  const last = use.at(-1) as CallStep
  const who = last.via ? 'any borrower' : actorWords[last.actor]
  const what = gift.kind === 'call' ? `1 unit of ${gift.to.contract.name}` : '1 wei'
  return {
    steps: [gift, ...use],
    status: 'confirmed',
    effects: [],
    harm: `after an outsider sent ${what} to ${contract.name}, ${nameOfCall(last.fn)} fails for ${who}`,
    assertion: { kind: 'blocked' },
    control: { change: 'the same without the donation', result: `${nameOfCall(last.fn)} succeeds` },
  }
}

export const donatedToken: Attack = {
  detectors: ['strict-token-balance'],
  tries: 'a donation of 1 unit before deposits, withdrawals and loans',
  withoutForcedEther: true,
  run: (scene) => blockedByDonation(scene, callsOfAlice(scene)),
}
