/** From a proof to evidence: the steps executed once more, reported in words with what each of them did. */
import type { EvidenceBalance, EvidenceStep } from '@assay/engine'
import { formatEther, nameOfCall, type Proof } from '../attacks/attack.ts'
import type { AbiValue } from '../evm/abi.ts'
import { type Outcome, type Snapshot, type Start, today } from '../evm/machine.ts'
import { actors, type Chain } from '../scene/chain.ts'
import type { Instance, PlantStep, Step, Via } from '../scene/step.ts'
import type { Token } from '../scene/token.ts'
import { addressIn } from './solidity-values.ts'

export interface Story {
  readonly scene: readonly EvidenceStep[]
  readonly steps: readonly EvidenceStep[]
  readonly balances: readonly EvidenceBalance[]
}

export const describeProof = async (chain: Chain, base: Snapshot, target: Instance, proof: Proof): Promise<Story> => {
  const holders = holdersOf(chain, target)
  const names = namesOf(chain)
  const measure = (): bigint[] =>
    holders.map(({ address, token }) => (token ? chain.tokenBalance(token, address) : chain.machine.balanceOf(address)))
  chain.restore(base)
  const start = measure()
  const scene = [
    ...beginning(chain.machine.start),
    ...chain.prologue.map((step) => describe(step, names, 'the scene is set')),
  ]
  const steps: EvidenceStep[] = []
  let before = start
  for (const [index, step] of proof.steps.entries()) {
    const outcome = await chain.perform(step)
    const after = measure()
    const effect = proof.effects[index] ?? effectOf(outcome, holders, before, after)
    steps.push(describe(step, names, effect))
    before = after
  }
  chain.restore(base)
  const balances = holders.map(({ holder, tokenName }, index) => ({
    holder,
    ...(tokenName ? { token: tokenName } : {}),
    before: String(start[index]),
    after: String(before[index]),
  }))
  return { scene, steps, balances }
}

/** Worth a word only when it is not today. */
const beginning = (start: Start): EvidenceStep[] =>
  start === today
    ? []
    : [
        {
          actor: 'chain',
          call: 'it is the time that the contract was written for',
          arguments: [new Date(1000 * Number(start.timestamp)).toISOString(), `block ${start.number}`],
          value: '0',
          effect: 'the scene is set',
        },
      ]

interface Holder {
  readonly holder: string
  readonly address: string
  /** Of which this counts; ether where there is none. */
  readonly token?: Token
  readonly tokenName?: string
}

const holdersOf = (chain: Chain, target: Instance): Holder[] => {
  const holders = [
    { holder: target.contract.name, address: target.address },
    ...actors.map((actor) => ({ holder: actor, address: chain.actors[actor] })),
    { holder: "attacker's contract", address: chain.addressOf('AssayAgent') },
  ]
  return [
    ...holders,
    ...chain.tokens.flatMap((token) =>
      holders.map((holder) => ({ ...holder, token, tokenName: labelOf(chain, token.instance) })),
    ),
  ]
}

const effectOf = (
  outcome: Outcome,
  holders: readonly Holder[],
  before: readonly bigint[],
  after: readonly bigint[],
): string => {
  const changes = holders.flatMap(({ holder, tokenName }, index) => {
    const change = (after[index] ?? 0n) - (before[index] ?? 0n)
    const amount = tokenName ? `${change} ${tokenName}` : formatEther(change)
    return change === 0n ? [] : [`${holder} ${change > 0n ? '+' : ''}${amount}`]
  })
  if (!outcome.ok) return `fails (${outcome.error})`
  return changes.length > 0 ? `succeeds: ${changes.join(', ')}` : 'succeeds'
}

/** The second of two contracts of one name has a number. */
const labelOf = (chain: Chain, { address, contract: { name } }: Instance): string => {
  const sameName = chain.instances.filter(({ contract }) => contract.name === name)
  const number = sameName.findIndex((each) => each.address === address)
  return number > 0 ? `${name} ${number + 1}` : name
}

const namesOf = (chain: Chain): Map<string, string> => {
  const names = new Map<string, string>()
  for (const actor of actors) names.set(chain.actors[actor], actor)
  const words = {
    AssayAgent: "attacker's contract",
    AssayRefuser: "attacker's refusing contract",
    AssayWallet: 'a contract wallet',
    AssayDenier: 'a token that says no',
    AssayPayload: "attacker's code",
    AssayHarmless: 'harmless code',
    AssayForce: 'forced ether',
    AssayCrowd: "attacker's crowd",
    AssayFickle: "attacker's contract",
    AssayToken: 'a plain ERC-20',
    AssayQuote: 'another ERC-20',
    AssayFeeToken: 'an ERC-20 with a fee',
    AssayHookToken: 'an ERC-777',
    AssayMuteToken: 'an ERC-20 without return values',
    AssayVault: 'an ERC-4626 vault',
    AssayNft: 'an ERC-721',
    AssayLender: 'a flash lender',
    AssayDirectory: 'a registry of addresses',
    AssayMarket: 'a Uniswap pair',
    AssayExchange: 'an exchange of ether and a token',
    AssayFeed: 'a Chainlink feed',
  }
  for (const [name, address] of chain.standIns) names.set(address, words[name])
  for (const instance of chain.instances) names.set(instance.address, labelOf(chain, instance))
  return names
}

const viaWords: Record<Via, string> = {
  agent: 'contract',
  refuser: 'contract that refuses ether',
  fickle: 'contract that changes its answer',
}

const plantWords: Record<PlantStep['code'], string> = {
  AssayWallet: 'is a contract wallet that needs more than 2,300 gas to be paid',
  AssayRefuser: 'is a contract that refuses ether',
  AssayDenier: 'is a token that moves nothing and answers false',
}

const show = (value: AbiValue, names: ReadonlyMap<string, string>): string => {
  if (typeof value === 'string') return names.get(value) ?? names.get(addressIn(value)) ?? value
  if (typeof value === 'object') return `[${value.map((item) => show(item, names)).join(', ')}]`
  return names.get(addressIn(value)) ?? String(value)
}

/** With its number where another contract of the name came first. */
const calledName = ({ address, contract: { name } }: Instance, names: ReadonlyMap<string, string>): string => {
  const label = names.get(address)
  return label?.startsWith(`${name} `) ? label : name
}

const describe = (step: Step, names: ReadonlyMap<string, string>, effect: string): EvidenceStep => {
  switch (step.kind) {
    case 'advance':
      return {
        actor: 'chain',
        call: 'time passes',
        arguments: [`${step.seconds} s`, `${step.blocks} blocks`],
        value: '0',
        effect,
      }
    case 'deploy':
      return {
        actor: step.actor,
        call: `deploys ${step.instance.contract.name}`,
        arguments: step.args.map((value) => show(value, names)),
        value: String(step.value),
        effect,
      }
    case 'find':
      return {
        actor: 'chain',
        call: `${step.instance.contract.name} was created by a contract`,
        arguments: [],
        value: '0',
        effect,
      }
    case 'force':
      return {
        actor: step.actor,
        call: `ether by force to ${step.to.label}`,
        arguments: [],
        value: String(step.value),
        effect,
      }
    case 'plant':
      return {
        actor: names.get(step.address) ?? step.address,
        call: plantWords[step.code],
        arguments: [],
        value: '0',
        effect: 'from now on',
      }
    case 'prepare':
      return {
        actor: 'attacker',
        call:
          step.times > 0
            ? `prepares a contract that re-enters ${step.to.contract.name}.${nameOfCall(step.fn)}`
            : 'prepares what its contract answers',
        arguments: step.args.map((value) => show(value, names)),
        value: String(step.value * BigInt(step.times)),
        effect: step.times > 0 ? (step.times === 1 ? 'once' : `${step.times} times`) : `0x${step.answer.toString(16)}`,
      }
    case 'repeat': {
      const described = describe(step.call, names, effect)
      const from = step.isApart ? 'from an account of its own each time' : 'by one contract'
      return { ...described, call: `${described.call} ${step.times} times in one block, ${from}` }
    }
    case 'call':
      return {
        actor: step.via ? `${step.actor}'s ${viaWords[step.via]}` : step.actor,
        call: `${calledName(step.to, names)}.${nameOfCall(step.fn)}`,
        arguments: step.data === undefined ? step.args.map((value) => show(value, names)) : [`calldata ${step.data}`],
        value: String(step.value),
        effect,
      }
  }
}
