/** SWC-101: the flagged arithmetic leaves its type's range in a transaction that succeeds, and someone gains or loses by it. */
import { type ArithmeticType, arithmeticByPc, wraps } from '../compile/arithmetic.ts'
import type { AbiFunction } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { op, type TraceEvent } from '../evm/trace.ts'
import { type Holdings, lossOf, profitOf } from '../scene/assets.ts'
import { ether } from '../scene/chain.ts'
import type { CallStep, Step } from '../scene/step.ts'
import { argumentLists, inputWords } from '../scene/values.ts'
import { type Attempt, runSteps } from '../search/explore.ts'
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
  type Scene,
  tokenOf,
} from './attack.ts'
import { exploreForHarm } from './prefer-harm.ts'

type Arithmetic = ReadonlyMap<number, ArithmeticType & { readonly instruction: number }>

interface Executed {
  readonly event: TraceEvent
  readonly type: ArithmeticType
  readonly isWrapped: boolean
}

/** What the flagged operators did, in order. */
const executed = (scene: Scene, arithmetic: Arithmetic, { trace }: Outcome): Executed[] =>
  trace.flatMap((event) => {
    const type = event.code === scene.target.address ? arithmetic.get(event.pc) : undefined
    if (!type || type.instruction !== event.op) return []
    const [a = 0n, b = 0n] = event.stack
    return [{ event, type, isWrapped: wraps(event.op, a, b, type) }]
  })

/** Inputs that would make an operation leave its range, given the other side. */
const wrappingInputs = (code: number, side: 'a' | 'b', other: bigint, { bits, isSigned }: ArithmeticType): bigint[] => {
  const end = 1n << BigInt(isSigned ? bits - 1 : bits)
  if (code === op.ADD) return [end - other, end - 1n]
  // Rounded up first: where it divides evenly the product is zero, which passes any check of what someone has.
  if (code === op.MUL) return other === 0n ? [] : [(end + other - 1n) / other, end / other + 1n, end - 1n]
  if (code === op.EXP) return side === 'a' ? [end - 1n] : [256n, end - 1n]
  if (side === 'a') return other === 0n ? [] : [other - 1n, 0n]
  return [other + 1n, end - 1n]
}

/** The sum is past the middle of its type: the same call once more leaves it. */
const isHalfway = (operations: readonly Executed[]): boolean =>
  operations.some(({ event, type }) => {
    const [a = 0n, b = 0n] = event.stack
    return event.op === op.ADD && !type.isSigned && a + b >= 1n << BigInt(type.bits - 1)
  })

/** An operand that came straight from the call is chosen anew, so that the operation wraps. */
const suggest = (scene: Scene, arithmetic: Arithmetic, { steps, outcomes }: Attempt): Step[][] => {
  const at = outcomes.length - 1
  const step = steps[at]
  const outcome = outcomes[at]
  if (step?.kind !== 'call' || !outcome) return []
  const found: Step[][] = []
  if (outcome.ok && at === steps.length - 1 && steps.length < 3 && isHalfway(executed(scene, arithmetic, outcome)))
    found.push([...steps, step])
  for (const { event, type } of executed(scene, arithmetic, outcome).slice(0, 6)) {
    const [a = 0n, b = 0n] = event.stack
    for (const [side, own, other] of [
      ['a', a, b],
      ['b', b, a],
    ] as const) {
      for (const value of wrappingInputs(event.op, side, other, type)) {
        for (const { word, replace } of inputWords(step.fn, step.args)) {
          const args = word === own ? replace(value) : undefined
          if (args) found.push([...steps.slice(0, at), { ...step, args }, ...steps.slice(at + 1)])
        }
        if (own === step.value && step.fn?.isPayable && value < 100_000n * ether)
          found.push([...steps.slice(0, at), { ...step, value }, ...steps.slice(at + 1)])
      }
    }
  }
  return found
}

/** The same calls with small arguments: the operation is executed and stays within its range. */
const honestRun = async (scene: Scene, arithmetic: Arithmetic, { steps }: Attempt): Promise<Step[] | undefined> => {
  const { chain, base } = scene
  const last = steps.at(-1) as CallStep
  const pool = { ...attackerPool(scene), numbers: [1n, 0n, 2n, 10n] }
  for (const args of argumentLists(last.fn, pool, 5)) {
    const honest = [...steps.slice(0, -1), { ...last, args }]
    const { outcome } = await runSteps(chain, base, honest)
    const ops = executed(scene, arithmetic, outcome)
    if (ops.length > 0 && ops.every(({ isWrapped }) => !isWrapped)) return honest
  }
  return undefined
}

const symbols: Record<number, string> = { [op.ADD]: '+', [op.SUB]: '-', [op.MUL]: '*', [op.EXP]: '**' }

const describe = ({ event, type }: Executed): string => {
  const [a = 0n, b = 0n] = event.stack
  const show = (value: bigint): string =>
    String(type.isSigned ? BigInt.asIntN(256, value) : value).replace(/^(-?\d{12})\d{12,}$/, '$1…')
  return `${show(a)} ${symbols[event.op]} ${show(b)} as ${type.isSigned ? '' : 'u'}int${type.bits}`
}

/** After a wrap that paid nothing: what the wrong number is good for shows in another call. */
const followUps = (scene: Scene, { steps }: Attempt): Step[][] =>
  allEntries(scene)
    .filter((fn): fn is AbiFunction => fn !== null)
    .slice(0, maxFollowUps)
    .flatMap((fn) =>
      argumentLists(fn, attackerPool(scene), 2).map((args) => [
        ...steps,
        { kind: 'call', actor: 'attacker', via: null, to: scene.target, fn, args, value: 0n } as const,
      ]),
    )

const maxFollowUps = 8
const honestActors = ['alice', 'bob', 'owner'] as const

/** Against the run in which the operation is checked: the attacker has more, or an honest user has less. */
const harmIn = (scene: Scene, after: Standing, control: Standing, start: Standing): Partial<Proof> | undefined => {
  const profit = profitOf(after.loot, control.loot) && profitOf(after.loot, start.loot)
  if (profit)
    return {
      harm: `the attacker has ${formatChange(scene, profit)} more`,
      assertion: gainAssertion(scene, { ...profit, amount: profit.amount < largest ? profit.amount : largest }),
    }
  for (const who of honestActors) {
    const loss = lossOf(after.people[who], control.people[who]) && lossOf(after.people[who], start.people[who])
    if (loss)
      return {
        harm: `${actorWords[who]} lost ${formatChange(scene, loss)}`,
        assertion: { kind: 'poorer', who, most: -loss.amount, ...tokenOf(scene, loss.asset) },
      }
  }
  return undefined
}

/** A written test adds it to what there was before. */
const largest = 1n << 200n

interface Standing {
  readonly loot: Holdings
  readonly people: Readonly<Record<(typeof honestActors)[number], Holdings>>
}

const standingOf = ({ chain }: Scene): Standing => ({
  loot: chain.loot(),
  people: {
    alice: chain.holdingsOf('alice'),
    bob: chain.holdingsOf('bob'),
    owner: chain.holdingsOf('owner'),
  },
})

const judge = async (scene: Scene, arithmetic: Arithmetic, attempt: Attempt): Promise<Proof | undefined> => {
  const { chain, base } = scene
  const at = attempt.outcomes.findIndex((outcome) =>
    executed(scene, arithmetic, outcome).some(({ isWrapped }) => isWrapped),
  )
  const call = attempt.steps[at]
  const wrapped =
    attempt.outcomes[at] && executed(scene, arithmetic, attempt.outcomes[at]).find((each) => each.isWrapped)
  if (!attempt.outcome.ok || !wrapped || call?.kind !== 'call') return undefined
  const after = standingOf(scene)
  const checked = await checkedRun(scene, arithmetic, attempt.steps)
  chain.restore(base)
  const harm = checked && harmIn(scene, after, checked.standing, standingOf(scene))
  const happened = `${describe(wrapped)} wrapped around in ${nameOfCall(call.fn)}, and the transaction succeeded`
  if (checked && harm)
    return {
      steps: attempt.steps,
      effects: [],
      status: 'confirmed',
      harm: `${happened}: ${harm.harm}`,
      control: checked.control,
      assertion: harm.assertion as Proof['assertion'],
    }
  const control = (await honestRun(scene, arithmetic, attempt))
    ? { change: 'the same calls with small arguments', result: 'the operation stays within its type' }
    : checked?.control
  chain.restore(base)
  return (
    control && {
      steps: attempt.steps,
      effects: [],
      status: 'executed',
      harm: `${happened}; nobody gained or lost an asset of the scene`,
      control,
      assertion: { kind: 'succeeds' },
    }
  )
}

export const integerOverflow: Attack = {
  swc: 'SWC-101',
  tries: 'arguments that leave the range of the type',
  run: (scene) => {
    const { chain, target, flagged, budget } = scene
    const all = arithmeticByPc(target.contract, chain.compilation.sources)
    const arithmetic: Arithmetic = new Map([...all].filter(([pc]) => flagged.has(pc)))
    if (arithmetic.size === 0) return Promise.resolve(undefined)
    const pool = attackerPool(scene)
    return exploreForHarm(
      chain,
      {
        target,
        entries: entriesOf(scene),
        caller: { actor: 'attacker', via: null },
        pool: { ...pool, numbers: [1n, ether, 0n, 2n, 1n << 128n] },
        suggest: (attempt) => [
          ...suggest(scene, arithmetic, attempt),
          ...(isWrappedByLast(scene, arithmetic, attempt) ? followUps(scene, attempt) : []),
        ],
        accept: (attempt) => judge(scene, arithmetic, attempt),
      },
      budget,
    )
  },
}

const isWrappedByLast = (scene: Scene, arithmetic: Arithmetic, { steps, outcomes, outcome }: Attempt): boolean =>
  outcome.ok &&
  outcomes.length === steps.length &&
  steps.length < 3 &&
  executed(scene, arithmetic, outcome).some(({ isWrapped }) => isWrapped)

/** The same calls on a chain on which the flagged operation is checked. */
const checkedRun = async (
  scene: Scene,
  arithmetic: Arithmetic,
  steps: readonly Step[],
): Promise<{ control: Proof['control']; standing: Standing } | undefined> => {
  const { chain, target, base } = scene
  chain.machine.refuse = (event) => {
    const type = event.code === target.address ? arithmetic.get(event.pc) : undefined
    return type?.instruction === event.op && wraps(event.op, event.stack[0] ?? 0n, event.stack[1] ?? 0n, type)
  }
  try {
    const { outcome } = await runSteps(chain, base, steps)
    if (outcome.ok) return undefined
    const control = {
      change: 'the same calls with this operation checked, as Solidity 0.8 does',
      result: 'the call fails',
    }
    return { control, standing: standingOf(scene) }
  } finally {
    chain.machine.refuse = undefined
  }
}
