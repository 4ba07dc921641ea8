/** A token that refuses a holder's transfer, and lets a spender whom the holder approved move the same amount to the same account. */
import type { AbiFunction } from '../evm/abi.ts'
import { ether } from '../scene/chain.ts'
import type { Actor, CallStep, Instance } from '../scene/step.ts'
import type { Token } from '../scene/token.ts'
import { runSteps } from '../search/explore.ts'
import type { HuntScene } from './hunt-scene.ts'
import type { Catch, Hunter } from './hunter.ts'

const holders = ['owner', 'alice', 'bob'] as const

const functionOf = ({ contract }: Instance, name: string, count: number): AbiFunction | undefined =>
  contract.functions.find((fn) => fn.name === name && fn.inputs.length === count)

const bypass = async (scene: HuntScene, token: Token, holder: Actor): Promise<Catch | undefined> => {
  const { chain, base } = scene
  const { instance: to } = token
  const [transfer, approve, pull] = [
    functionOf(to, 'transfer', 2),
    functionOf(to, 'approve', 2),
    functionOf(to, 'transferFrom', 3),
  ]
  chain.restore(base)
  const held = chain.tokenBalance(token, chain.actors[holder])
  const amount = held < ether ? held : ether
  if (!transfer || !approve || !pull || amount === 0n) return undefined
  const { attacker } = chain.actors
  const call = (actor: Actor, fn: AbiFunction, args: CallStep['args']): CallStep => ({
    kind: 'call',
    actor,
    via: null,
    to,
    fn,
    args,
    value: 0n,
  })
  if ((await chain.peek(call(holder, transfer, [attacker, amount]))).ok) return undefined
  const steps = [
    call(holder, approve, [attacker, amount]),
    call('attacker', pull, [chain.actors[holder], attacker, amount]),
  ]
  const { outcome } = await runSteps(chain, base, steps)
  if (!outcome.ok || chain.tokenBalance(token, chain.actors[holder]) !== held - amount) return undefined
  return {
    oracle: 'lock-bypassed',
    at: to,
    function: 'transfer',
    proof: {
      steps,
      status: 'confirmed',
      effects: [],
      harm: `a holder of ${to.contract.name} whose transfer is refused moved ${amount} units by an approved spender`,
      assertion: { kind: 'gain', least: amount, token: to },
      control: { change: 'transfer() of the same amount to the same account by the holder', result: 'it is refused' },
    },
  }
}

export const bypassedLock: Hunter = {
  async run(scene, onCatch) {
    const { chain, base } = scene
    const own = chain.tokens.filter(({ instance }) =>
      chain.instances.some(({ address }) => address === instance.address),
    )
    for (const token of own)
      for (const holder of holders) {
        const found = await bypass(scene, token, holder)
        if (!found) continue
        await onCatch(found)
        break
      }
    chain.restore(base)
  },
}
