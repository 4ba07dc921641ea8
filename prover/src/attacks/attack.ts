/** An attack on one class of weakness: how to look for a sequence of calls, which harm proves it, and which control run must not show it. */
import type { Finding } from '@assay/engine'
import { type AbiFunction, signatureOf } from '../evm/abi.ts'
import type { Outcome, Snapshot } from '../evm/machine.ts'
import type { TraceEvent } from '../evm/trace.ts'
import { type Change, changeOf, type Holdings } from '../scene/assets.ts'
import { type Chain, ether } from '../scene/chain.ts'
import { typedContracts } from '../scene/contracts-of-type.ts'
import type { StandIn } from '../scene/stand-ins.ts'
import type { Actor, Instance, Step } from '../scene/step.ts'
import type { ValuePool } from '../scene/values.ts'
import type { Budget } from '../search/budget.ts'

export interface Scene {
  readonly chain: Chain
  readonly target: Instance
  readonly finding: Pick<Finding, 'function'>
  /** Instructions of the target that the finding's lines became. */
  readonly flagged: ReadonlySet<number>
  /** Instructions of the places that the finding's trace names. */
  readonly related: ReadonlySet<number>
  /** Of the chain before the attack. */
  readonly base: Snapshot
  readonly budget: Budget
}

/** What else the attacker owns: null is ether, and a change below nothing is a loss. */
export interface OtherAsset {
  readonly asset: Instance | null
  readonly change: bigint
}

/** What the Foundry test asserts when the steps have been executed. */
export type Assertion =
  /**
   * The attacker and the attacker's contracts own at least this much more than before the attack, of a token or of ether; and of what it might
   * have been paid for with they own no less than it says.
   */
  | {
      readonly kind: 'gain'
      readonly least: bigint
      readonly token?: Instance
      readonly others?: readonly OtherAsset[]
    }
  /** The contract lost all its ether. */
  | { readonly kind: 'drained' }
  /** An honest user has at most this much more than before the attack; less than nothing is a loss. */
  | { readonly kind: 'poorer'; readonly who: Actor; readonly most: bigint; readonly token?: Instance }
  /** The contract has at least this much less than before the attack, of a token or of ether. */
  | { readonly kind: 'lost'; readonly least: bigint; readonly token?: Instance }
  /** Every call of the attack succeeded. */
  | { readonly kind: 'succeeds' }
  /** Every call but the last succeeded, and that one, by an honest user, fails. */
  | { readonly kind: 'blocked' }
  /** The same, with as much gas as a block has. */
  | { readonly kind: 'exhausted' }
  /** The refusing contract was not paid, the call succeeded, and the contract's state is as if it had been paid. */
  | { readonly kind: 'unpaid'; readonly recipient: string; readonly slots: readonly (readonly [bigint, bigint])[] }
  /** The agent's calls from within were granted at least this often. */
  | { readonly kind: 'granted'; readonly least: number }
  /** The last call of the attack answers with this word. */
  | { readonly kind: 'returns'; readonly word: bigint }
  /** A slot of the target now holds this word. */
  | { readonly kind: 'slot'; readonly slot: bigint; readonly value: bigint }

export interface Proof {
  /** `confirmed`: someone gained or lost, and not in the control run. `executed`: the flagged code did what it is flagged for, and nobody was harmed. */
  readonly status: 'confirmed' | 'executed'
  /** What was executed after the scene was set. */
  readonly steps: readonly Step[]
  /** What each of the steps did, in words; shorter lists are filled with what the outcome says. */
  readonly effects: readonly string[]
  readonly harm: string
  readonly control: { readonly change: string; readonly result: string }
  readonly assertion: Assertion
}

export interface Attack {
  /** The class of the registry whose findings it is for. */
  readonly swc?: `SWC-${number}`
  /** Detectors beyond the registry whose findings it is for. */
  readonly detectors?: readonly string[]
  /** What is tried, as a noun phrase: reported where nothing came of it. */
  readonly tries: string
  /** Its only harm is an asset or a role that is taken: nothing to attempt where the contract has none. */
  readonly takesAssets?: boolean
  /** What a view answers is the harm. */
  readonly isOfAnswers?: boolean
  /** The scene forces no ether on a contract that takes none. */
  readonly withoutForcedEther?: boolean
  /** Nobody has deposited anything before the attack. */
  readonly isUnused?: boolean
  /** The contract stands twice, each used by the same people. */
  readonly hasTwin?: boolean
  /** What a contract gets that wants any token; a plain one, if nothing is said. */
  readonly token?: StandIn
  /** Tried next, where the contract works with a token that it is given. */
  readonly otherTokens?: readonly StandIn[]
  run(scene: Scene): Promise<Proof | undefined>
}

/** Of no contract: a call of it runs the fallback. */
export const unknownFunction: AbiFunction = {
  type: 'function',
  name: 'assayUnknown',
  inputs: [],
  outputs: [],
  isPayable: false,
  isView: false,
}

/** Functions through which the finding's code is reached: the flagged one, or every one where it cannot be called itself. */
export const entriesOf = ({ target, finding }: Scene): readonly (AbiFunction | null)[] => {
  const { functions, hasFallback } = target.contract
  const named = functions.filter(({ name }) => name === finding.function)
  if (named.length > 0) return named
  const changing = functions.filter(({ isView }) => !isView)
  return [
    ...(hasFallback ? [null, unknownFunction] : []),
    ...changing,
    ...functions.filter(({ isView }) => isView),
  ].slice(0, 60)
}

/** Values for the attacker's calls; what the attack wants to see arrive comes first. */
export const attackerPool = ({ chain, target }: Scene, first: readonly string[] = []): ValuePool => {
  const { attacker, owner, alice } = chain.actors
  const addresses = [...first, attacker, chain.addressOf('AssayAgent'), alice, owner, target.address]
  return {
    ...typedContracts(chain),
    addresses: [...new Set(addresses)],
    numbers: [ether, 1n, 0n, 2n, 10n * ether, 100n],
  }
}

/** Events of the flagged lines. */
export const flaggedEvents = ({ target, flagged }: Scene, { trace }: Outcome): TraceEvent[] =>
  trace.filter(({ code, pc }) => code === target.address && flagged.has(pc))

/** Events of the flagged lines and of those that the trace names. */
export const relatedEvents = ({ target, flagged, related }: Scene, { trace }: Outcome): TraceEvent[] =>
  trace.filter(({ code, pc }) => code === target.address && (flagged.has(pc) || related.has(pc)))

const maxForwarded = 20

/** What a fallback may forward to: functions of the other contracts. */
export const forwardedFunctions = ({ chain, target: { contract, address } }: Scene): AbiFunction[] => {
  if (!contract.hasFallback) return []
  const own = new Set(contract.functions.map(signatureOf))
  return chain.instances
    .filter((each) => each.address !== address)
    .flatMap((each) => each.contract.functions)
    .filter((fn) => !fn.isView && !own.has(signatureOf(fn)))
    .slice(0, maxForwarded)
}

/** Every function that changes something: for weaknesses whose fruit is picked elsewhere. */
export const allEntries = ({ target }: Scene): readonly (AbiFunction | null)[] => {
  const { functions, hasFallback } = target.contract
  return [...functions.filter(({ isView }) => !isView), ...(hasFallback ? [null] : [])].slice(0, 60)
}

export const formatEther = (wei: bigint): string => {
  const sign = wei < 0n ? '-' : ''
  const size = wei < 0n ? -wei : wei
  if (size !== 0n && size < 10n ** 12n) return `${sign}${size} wei`
  const digits = (size % ether).toString().padStart(18, '0').replace(/0+$/, '')
  return `${sign}${size / ether}${digits ? `.${digits}` : ''} ether`
}

/** An amount of the asset that changed, in words. */
export const formatChange = ({ chain }: Pick<Scene, 'chain'>, { asset, amount }: Change): string => {
  const token = chain.tokens[asset - 1]
  return token ? `${amount} units of ${token.instance.contract.name}` : formatEther(amount)
}

/** What a written test names of an asset: nothing where it is ether. */
export const tokenOf = ({ chain }: Pick<Scene, 'chain'>, asset: number): { readonly token?: Instance } => {
  const token = chain.tokens[asset - 1]
  return token ? { token: token.instance } : {}
}

export const gainAssertion = (scene: Pick<Scene, 'chain'>, { asset, amount }: Change): Assertion => ({
  kind: 'gain',
  least: amount,
  ...tokenOf(scene, asset),
})

/** A function has no room for more variables. */
const maxOthers = 5

/** A gain, with what became of everything else between two moments: what is bought at its price is none. */
export const pricedGainAssertion = (
  scene: Pick<Scene, 'chain'>,
  gain: Change,
  { after, before }: { readonly after: Holdings; readonly before: Holdings },
): Assertion => {
  const assets = [null, ...scene.chain.tokens.map(({ instance }) => instance)]
  const others = assets
    .map((asset, at) => {
      const change = changeOf(after, before, at)
      return { asset, at, change: change < 0n ? change : 0n }
    })
    .filter(({ at }) => at !== gain.asset)
    .map(({ asset, change }) => ({ asset, change }))
  return { kind: 'gain', least: gain.amount, ...tokenOf(scene, gain.asset), others: others.slice(0, maxOthers) }
}

/** The attacker's assets of one kind between two moments, in words. */
export const changeWords = (scene: Pick<Scene, 'chain'>, after: Holdings, before: Holdings, asset: number): string =>
  `what the attacker owns changes by ${formatChange(scene, { asset, amount: changeOf(after, before, asset) })}`

export const nameOfCall = (fn: AbiFunction | null): string => (fn ? signatureOf(fn) : 'plain ether')

export const actorWords: Record<Actor, string> = {
  owner: 'the owner',
  alice: 'Alice',
  bob: 'Bob',
  attacker: 'the attacker',
}
