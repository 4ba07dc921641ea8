/**
 * SWC-117 and SWC-121: a message that an honest user signed once is executed again. What is to be signed shows when the contract
 * asks for the signer: the hash stands in the input of the precompile, and an honest person signs just that.
 */
import { type AbiFunction, type AbiValue, bytesToHex, hexToBytes } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { gainOf, type Holdings } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import { forTwin, twinOf } from '../scene/deploy-twin.ts'
import type { Actor, CallStep, Instance, Step } from '../scene/step.ts'
import { type Attempt, runSteps } from '../search/explore.ts'
import {
  type Attack,
  actorWords,
  attackerPool,
  entriesOf,
  formatChange,
  gainAssertion,
  nameOfCall,
  type Proof,
  relatedEvents,
  type Scene,
} from './attack.ts'
import { exploreForHarm } from './prefer-harm.ts'

interface Signature {
  readonly r: string
  readonly s: string
  readonly v: number
}

interface RecoveredSignature extends Signature {
  readonly hash: string
}

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const signers: readonly Actor[] = ['owner', 'alice', 'bob']

const sign = ({ chain }: Scene, actor: Actor, hash: string): Signature => {
  const bytes = bytesToHex(chain.packages.evm.sign(hexToBytes(hash), chain.keys[actor])).slice(2)
  return { r: bytes.slice(0, 64), s: bytes.slice(64, 128), v: Number.parseInt(bytes.slice(128), 16) }
}

/** The other signature of the same message by the same key, which anyone can compute. */
const otherSignature = ({ r, s, v }: Signature): Signature => ({
  r,
  s: (order - BigInt(`0x${s}`)).toString(16).padStart(64, '0'),
  v: 55 - v,
})

/** What the contract passed to the precompile, the last first. */
const recoveredIn = ({ trace }: Outcome): RecoveredSignature[] =>
  trace
    .flatMap(({ input }) => (input && input.length >= 258 ? [input.slice(2)] : []))
    .map((input) => ({
      hash: `0x${input.slice(0, 64)}`,
      v: Number(BigInt(`0x${input.slice(64, 128)}`) & 255n),
      r: input.slice(128, 192),
      s: input.slice(192, 256),
    }))
    .reverse()

/** Arguments in which the parameters that can hold a signature hold this one. */
const withSignature = (fn: AbiFunction, args: readonly AbiValue[], { r, s, v }: Signature): AbiValue[] => {
  const words = fn.inputs.flatMap(({ type }, index) => (type === 'bytes32' ? [index] : []))
  const [ofR, ofS] = words.slice(-2)
  return args.map((value, index) => {
    const type = fn.inputs[index]?.type
    if (type === 'bytes') return `0x${r}${s}${v.toString(16).padStart(2, '0')}`
    if (type === 'uint8') return BigInt(v)
    if (words.length >= 2 && index === ofR) return `0x${r}`
    if (words.length >= 2 && index === ofS) return `0x${s}`
    return value
  })
}

/** One signature in place of another, wherever it stands in the arguments. */
const replaceSignature = ({ fn, args }: CallStep, from: Signature, to: Signature): AbiValue[] =>
  args.map((value, index) => {
    if (fn?.inputs[index]?.type === 'uint8') return value === BigInt(from.v) ? BigInt(to.v) : value
    if (typeof value !== 'string' || !value.startsWith('0x')) return value
    const byte = (v: number): string => v.toString(16).padStart(2, '0')
    return value
      .replace(from.r + from.s + byte(from.v), to.r + to.s + byte(to.v))
      .replace(from.r, to.r)
      .replace(from.s, to.s)
  })

const holdsSignature = (fn: AbiFunction): boolean =>
  fn.inputs.some(({ type }) => type === 'bytes') || fn.inputs.filter(({ type }) => type === 'bytes32').length >= 2

/** An attempt with any signature shows what is to be signed; one with what an honest person signed may go through. */
const suggest = (scene: Scene, { steps, outcomes }: Attempt): Step[][] => {
  const last = steps.at(-1)
  if (last?.kind !== 'call' || !last.fn || outcomes.length < steps.length) return []
  const { fn } = last
  const put = (args: readonly AbiValue[]): Step[] => [...steps.slice(0, -1), { ...last, args }]
  const [recovered] = recoveredIn(outcomes.at(-1) as Outcome)
  // Before the arguments held any signature, the precompile was called with whatever stood in its place.
  if (recovered && isSignature(recovered))
    return likelySigners(scene, last).map((actor) =>
      put(replaceSignature(last, recovered, sign(scene, actor, recovered.hash))),
    )
  if (!holdsSignature(fn)) return []
  const any = sign(scene, 'attacker', bytesToHex(new Uint8Array(32).fill(7)))
  return [last.args, ...withSigners(scene, last)].map((args) => put(withSignature(fn, args, any)))
}

/** Who is named by an argument signs for it, or the owner does; where nobody is named it may be anyone. */
const likelySigners = ({ chain }: Scene, { args }: CallStep): readonly Actor[] => {
  const named = signers.filter((actor) => args.includes(chain.actors[actor]))
  return named.length > 0 ? [...new Set<Actor>([...named, 'owner'])] : signers
}

/** The arguments with an honest account in each place where one fits: the signer is compared with it as often as not. */
const withSigners = ({ chain }: Scene, { fn, args }: CallStep): AbiValue[][] =>
  (['alice', 'owner'] as const).flatMap((actor) =>
    (fn?.inputs ?? []).flatMap(({ type }, place) =>
      type === 'address' ? [args.map((value, at) => (at === place ? chain.actors[actor] : value))] : [],
    ),
  )

const isSignature = ({ r, s, v }: Signature): boolean => r !== s && (v === 27 || v === 28)

/** Who signed the hash that the contract checked. */
const signerOf = (scene: Scene, { hash, r }: RecoveredSignature): Actor | undefined =>
  signers.find((actor) => sign(scene, actor, hash).r === r)

interface Standing {
  readonly loot: Holdings
  /** Of the target and of honest people. */
  readonly held: readonly bigint[]
  readonly state: string
}

const honest: readonly Actor[] = ['owner', 'alice', 'bob']

const standingOf = ({ chain, target }: Scene): Standing => {
  const storage = [...chain.machine.storageOf(target.address)].sort(([a], [b]) => (a < b ? -1 : 1))
  const held = [
    chain.instanceHoldings(target),
    ...honest.map((who) => chain.holdingsOf(who).map(({ own }) => own)),
  ].flat()
  return { loot: chain.loot(), held, state: `${chain.instanceHoldings(target).join(' ')} ${storage.join(' ')}` }
}

/** The same arguments for another account: a number that is used up may be another's. */
const forOthers = ({ chain }: Scene, last: CallStep): AbiValue[][] =>
  (last.fn?.inputs ?? []).flatMap(({ type }, index) =>
    type === 'address'
      ? [chain.actors.bob, chain.actors.attacker].map((who) =>
          last.args.map((value, place) => (place === index ? who : value)),
        )
      : [],
  )

interface Trial {
  /** Where the second call goes; the target where nothing is said. */
  readonly to?: Instance
  /** Of the target's calls those that the second call needs first. */
  readonly prepared?: readonly CallStep[]
  /** The second call's arguments. */
  readonly again: readonly AbiValue[]
  readonly control: readonly AbiValue[]
  readonly harm: string
  readonly change: string
}

const forgedFor = (scene: Scene, last: CallStep, recovered: RecoveredSignature): AbiValue[] =>
  replaceSignature(last, recovered, sign(scene, 'attacker', recovered.hash))

/** The same message, sent to a second deployment where the same people do the same. */
const replaysElsewhere = (
  scene: Scene,
  steps: readonly Step[],
  last: CallStep,
  recovered: RecoveredSignature,
  signer: Actor,
): Trial[] => {
  const twin = twinOf(scene.chain, scene.target)
  if (!twin) return []
  return [
    {
      to: twin,
      prepared: steps.slice(0, -1).flatMap((step) => forTwin(step, scene.target, twin) ?? []),
      again: last.args,
      control: forgedFor(scene, last, recovered),
      harm: `what ${actorWords[signer]} signed for one deployment was executed by another one too, by ${nameOfCall(last.fn)}`,
      change: `the call of the other deployment with a signature that is not of ${actorWords[signer]}`,
    },
  ]
}

const replays = (
  scene: Scene,
  _: readonly Step[],
  last: CallStep,
  recovered: RecoveredSignature,
  signer: Actor,
): Trial[] => {
  const forged = forgedFor(scene, last, recovered)
  return [last.args, ...forOthers(scene, last)].map((again) => ({
    again,
    control: forged,
    harm: `what ${actorWords[signer]} signed once was executed twice by ${nameOfCall(last.fn)}`,
    change: `the second call with a signature that is not of ${actorWords[signer]}`,
  }))
}

const twins = (last: CallStep, recovered: RecoveredSignature, signer: Actor): Trial[] => [
  {
    again: replaceSignature(last, recovered, otherSignature(recovered)),
    control: last.args,
    harm: `a second signature, computed from that of ${actorWords[signer]}, executed the same message again by ${nameOfCall(last.fn)}`,
    change: 'the second call with the same signature',
  },
]

const judge = async (scene: Scene, { steps }: Attempt, trial: Trial): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const { to = scene.target, prepared = [] } = trial
  const last: CallStep = { ...(steps.at(-1) as CallStep), to }
  const before = [...steps, ...prepared]
  const second: CallStep = { ...last, args: trial.again }
  const first = await runSteps(chain, base, before)
  if (!first.outcome.ok || first.outcomes.length < before.length) return undefined
  const again = { ...scene, target: to }
  const once = standingOf(again)
  const outcome = await chain.perform(second)
  const twice = standingOf(again)
  const control = await runSteps(chain, base, [...before, { ...last, args: trial.control }])
  chain.restore(base)
  const gain = gainOf(twice.loot, once.loot) && gainOf(twice.loot, chain.loot())
  const isDone = outcome.ok && relatedEvents(again, outcome).length > 0 && once.state !== twice.state
  if (!isDone || control.outcome.ok) return undefined
  const isPaidAgain = once.held.some((amount, index) => (twice.held[index] ?? 0n) < amount)
  return {
    steps: [...before, second],
    status: gain || isPaidAgain ? 'confirmed' : 'executed',
    effects: [],
    harm: gain ? `${trial.harm}; the attacker has ${formatChange(scene, gain)} more` : trial.harm,
    control: { change: trial.change, result: 'the contract refuses it' },
    assertion: gain ? gainAssertion(scene, gain) : { kind: 'succeeds' },
  }
}

const attackWith = (
  attack: Omit<Attack, 'run'>,
  trialsOf: (
    scene: Scene,
    steps: readonly Step[],
    last: CallStep,
    recovered: RecoveredSignature,
    signer: Actor,
  ) => Trial[],
): Attack => ({
  ...attack,
  run: (scene) => {
    const { chain, target, budget } = scene
    return exploreForHarm(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: null },
        helpers: [
          { actor: 'alice', via: null },
          { actor: 'owner', via: null },
        ],
        pool: { ...attackerPool(scene), numbers: [1n, ether, 0n, 2n] },
        suggest: (attempt) => suggest(scene, attempt),
        async accept(attempt) {
          const [recovered] = attempt.outcome.ok ? recoveredIn(attempt.outcome) : []
          const signer = recovered && signerOf(scene, recovered)
          if (!recovered || !signer) return undefined
          let executed: Proof | undefined
          const { steps } = attempt
          for (const trial of trialsOf(scene, steps, steps.at(-1) as CallStep, recovered, signer)) {
            const proof = budget.spend() ? await judge(scene, attempt, trial) : undefined
            if (proof?.status === 'confirmed') return proof
            executed ??= proof
          }
          return executed
        },
      },
      budget,
    )
  },
})

export const replayedSignature: Attack = attackWith(
  { swc: 'SWC-121', tries: 'what was signed once, sent again' },
  replays,
)
export const signatureForAnother: Attack = attackWith(
  {
    detectors: ['signature-without-domain'],
    hasTwin: true,
    tries: 'what was signed once, sent again, also to a second deployment',
  },
  (...at) => [...replays(...at), ...replaysElsewhere(...at)],
)
export const malleableSignature: Attack = attackWith(
  { swc: 'SWC-117', tries: 'the second signature that follows from an honest one' },
  (_, __, last, recovered, signer) => twins(last, recovered, signer),
)
