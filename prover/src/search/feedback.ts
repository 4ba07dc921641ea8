/**
 * What a run teaches about its inputs. A contract that compares an input with something shows both sides on the stack: the
 * other side is the value to try next (input-to-state correspondence, as in the RedQueen fuzzer). The same holds for ether sent
 * and for the time and number of the block.
 */
import { addressOfWord } from '../evm/abi.ts'
import type { Outcome } from '../evm/machine.ts'
import { callOps, comparisonOps, op } from '../evm/trace.ts'
import { type Chain, ether } from '../scene/chain.ts'
import type { CallStep, Step } from '../scene/step.ts'
import { inputWords } from '../scene/values.ts'

const maxComparisons = 24
const mostEther = 10_000n * ether
const mostAdvance = 10n * 365n * 86_400n
/** Shorter waits are tried by moving the compared moments themselves. */
const shortest = 60n

interface Comparison {
  readonly a: bigint
  readonly b: bigint
}

/** The latest first: what was compared last decided. */
const comparisonsOf = ({ trace }: Outcome): Comparison[] => {
  const found: Comparison[] = []
  const seen = new Set<string>()
  for (let at = trace.length - 1; at >= 0 && found.length < maxComparisons; at--) {
    const event = trace[at]
    if (!event || !comparisonOps.has(event.op)) continue
    const [a = 0n, b = 0n] = event.stack
    const key = `${a}:${b}`
    // Equal sides still matter where one had to be greater.
    if ((a === b && event.op === op.EQ) || seen.has(key)) continue
    seen.add(key)
    found.push({ a, b })
  }
  return found
}

/** For `input ? other`: equality, and either side of it. */
const near = (other: bigint): bigint[] => [other, other + 1n, other - 1n].filter((value) => value >= 0n)

/** So many of the latest comparisons are worth a guess about how an input went into them. */
const maxGuesses = 4

/** Addresses and hashes are larger: nobody adds to them. */
const largestSum = 1n << 128n

/** Inputs that were added to something before they were compared: moved by as much as the sides differ, the sides are equal. */
const shifted = (step: CallStep, all: readonly Comparison[], chain: Chain): Step[][] => {
  const variants: Step[][] = []
  const selector = step.fn ? BigInt(chain.selector(step.fn)) : undefined
  const comparisons = all.filter(
    ({ a, b }) => a !== selector && b !== selector && a < largestSum && b < largestSum && a !== b,
  )
  const words = inputWords(step.fn, step.args).filter(({ isNumber }) => isNumber)
  for (const { a, b } of comparisons.slice(0, maxGuesses)) {
    for (const distance of [a - b, b - a]) {
      for (const { word, replace } of words) {
        const args = word === a || word === b || word + distance < 0n ? undefined : replace(word + distance)
        if (args) variants.push([{ ...step, args }])
      }
      const value = step.value + distance
      const isPaid = step.fn === null ? step.value > 0n : step.fn.isPayable
      if (isPaid && step.value !== a && step.value !== b && value >= 0n && value <= mostEther)
        variants.push([{ ...step, value }])
    }
  }
  return variants
}

/** Other calls worth trying in place of this one, likeliest first; each may begin with a step that moves time. */
export const adjust = (step: CallStep, outcome: Outcome, chain: Chain): Step[][] => {
  const variants: Step[][] = []
  const words = inputWords(step.fn, step.args)
  const { timestamp, number } = chain.machine.block
  const comparisons = comparisonsOf(outcome)
  for (const { a, b } of comparisons) {
    for (const [input, other] of [
      [a, b],
      [b, a],
    ] as const) {
      for (const { word, replace } of words) {
        if (word !== input) continue
        for (const value of near(other)) {
          const args = replace(value)
          if (args) variants.push([{ ...step, args }])
        }
      }
      if (input === step.value && (step.fn === null || step.fn.isPayable)) {
        for (const value of near(other)) if (value <= mostEther) variants.push([{ ...step, value }])
      }
      if (input === timestamp && other >= timestamp && other - timestamp < mostAdvance)
        variants.push([{ kind: 'advance', seconds: other - timestamp + 1n, blocks: 1n }, step])
      if (input === number && other >= number && other - number < 1_000_000n)
        variants.push([{ kind: 'advance', seconds: 12n * (other - number + 1n), blocks: other - number + 1n }, step])
    }
  }
  return [
    ...calledAccounts(step, outcome, chain),
    ...variants,
    ...shifted(step, comparisons, chain),
    ...later(step, outcome, comparisons),
  ]
}

/** An account of the arguments that is called as a contract, and has no code: a token of the scene in its place. */
const calledAccounts = (step: CallStep, { ok, trace }: Outcome, chain: Chain): Step[][] => {
  if (ok || chain.tokens.length === 0) return []
  const called = new Set(
    trace.flatMap((event) => {
      if (event.op === op.EXTCODESIZE) return [event.stack[0] ?? 0n]
      return callOps.has(event.op) ? [event.stack[1] ?? 0n] : []
    }),
  )
  const words = inputWords(step.fn, step.args).filter(
    ({ word, isNumber }) => !isNumber && called.has(word) && chain.machine.codeOf(addressOfWord(word)).length === 0,
  )
  return words.flatMap(({ replace }) =>
    chain.tokens.flatMap(({ instance }) => {
      const args = replace(BigInt(instance.address))
      return args ? [[{ ...step, args }]] : []
    }),
  )
}

/** Time that has passed since something was compared with how long it takes: that long must pass. A time that only another contract read says nothing. */
const later = (step: CallStep, { trace }: Outcome, comparisons: readonly Comparison[]): Step[][] => {
  if (!trace.some((event) => event.op === op.TIMESTAMP && event.address === step.to.address)) return []
  const waits = comparisons.slice(0, maxGuesses).flatMap(({ a, b }) => {
    const distance = a > b ? a - b : b - a
    return distance >= shortest && distance < mostAdvance ? [distance] : []
  })
  return [...new Set(waits)].map((distance) => [{ kind: 'advance', seconds: distance + 1n, blocks: 1n }, step])
}

/** Storage of a contract that was read, the latest first. */
export const slotsRead = ({ trace }: Outcome, address: string): bigint[] => {
  const slots = new Set<bigint>()
  for (let at = trace.length - 1; at >= 0; at--) {
    const event = trace[at]
    if (event?.op === op.SLOAD && event.address === address) slots.add(event.stack[0] ?? 0n)
  }
  return [...slots]
}

export const slotsWritten = ({ trace }: Outcome, address: string): Set<bigint> => {
  const slots = new Set<bigint>()
  for (const event of trace) {
    if (event.op === op.SSTORE && event.address === address) slots.add(event.stack[0] ?? 0n)
  }
  return slots
}

/** Branches taken in one contract's code. */
export const branchesOf = ({ trace }: Outcome, code: string): string[] =>
  trace
    .filter((event) => event.op === op.JUMPI && event.code === code)
    .map(({ pc, stack }) => `${pc}:${(stack[1] ?? 0n) !== 0n ? 1 : 0}`)
