/**
 * Bounded search for a sequence of calls that ends in a call of interest: a work list of attempts, each run from the same
 * snapshot. The first call of an attempt that fails (or the last one) is adjusted by what it compared, or preceded by a call
 * that writes what it read. Attempts that reach new branches go first. No randomness: the same input gives the same search.
 */
import { type AbiFunction, type AbiValue, signatureOf } from '../evm/abi.ts'
import type { Outcome, Snapshot } from '../evm/machine.ts'
import { comparisonOps, op } from '../evm/trace.ts'
import { type Chain, ether } from '../scene/chain.ts'
import type { Actor, CallStep, Instance, Step, Via } from '../scene/step.ts'
import { argumentLists, inputWords, type ValuePool } from '../scene/values.ts'
import { type Budget, partOf } from './budget.ts'
import { adjust, branchesOf, slotsRead, slotsWritten } from './feedback.ts'

export interface Caller {
  readonly actor: Actor
  readonly via: Via | null
}

export interface Attempt {
  readonly steps: readonly Step[]
  readonly outcomes: readonly Outcome[]
  /** The last one's. */
  readonly outcome: Outcome
}

export interface Quest<T> {
  readonly target: Instance
  /** Attempts that come before all others. */
  readonly begin?: readonly (readonly Step[])[]
  readonly entries: readonly (AbiFunction | null)[]
  readonly caller: Caller
  /** Who makes the calls that prepare; by default the same. */
  readonly helpers?: readonly Caller[]
  readonly pool: ValuePool
  readonly values?: readonly bigint[]
  /** Argument lists per entry; ten where nothing is said. */
  readonly lists?: number
  /** Worth writing into a slot that holds an address: accounts and code of the attacker. */
  readonly ownAddresses?: readonly bigint[]
  /** New branches in any deployed contract count, not only those of the target. */
  readonly isWide?: boolean
  /** Other attempts that this one brings to mind, ahead of what comparisons teach. */
  suggest?(attempt: Attempt): readonly (readonly Step[])[]
  /** Called after every attempt, the chain being as the attempt left it. Whatever it answers ends the search. */
  accept(attempt: Attempt): Promise<T | undefined>
}

const maxCallsPerAttempt = 5
const turnsOfPromise = 4
const argumentListsPerEntry = 10

export const explore = async <T>(chain: Chain, quest: Quest<T>, budget: Budget): Promise<T | undefined> => {
  const base = chain.snapshot()
  const search = new Search(chain, quest, base)
  try {
    for (const steps of quest.begin ?? []) search.add(steps)
    for (const steps of firstAttempts(quest)) search.add(steps)
    for (let steps = search.next(); steps && budget.spend(); steps = search.next()) {
      const attempt = await runSteps(chain, base, steps)
      if (attempt.outcomes.length === steps.length) {
        const found = await quest.accept(attempt)
        if (found !== undefined) return found
      }
      for (const suggested of quest.suggest?.(attempt) ?? []) search.addSuggested(suggested)
      await search.learn(attempt, budget)
    }
    return undefined
  } finally {
    chain.restore(base)
  }
}

const firstAttempts = function* <T>(quest: Quest<T>): Generator<Step[]> {
  for (const fn of quest.entries) {
    for (const value of valuesFor(fn, quest)) {
      for (const args of argumentLists(fn, quest.pool, quest.lists ?? argumentListsPerEntry))
        yield [{ kind: 'call', ...quest.caller, to: quest.target, fn, args, value }]
    }
  }
}

const valuesFor = <T>(fn: AbiFunction | null, { values = [0n, ether], target }: Quest<T>): readonly bigint[] => {
  if (fn === null) return target.contract.acceptsEther ? values : [0n]
  return fn.isPayable ? values : [0n]
}

/** Stops at the first call that fails: what follows would say nothing. */
export const runSteps = async (chain: Chain, base: Snapshot, steps: readonly Step[]): Promise<Attempt> => {
  chain.restore(base)
  const outcomes: Outcome[] = []
  for (const [index, step] of steps.entries()) {
    const outcome = await chain.perform(step)
    outcomes.push(outcome)
    if (!outcome.ok && index < steps.length - 1) break
  }
  return { steps, outcomes, outcome: outcomes.at(-1) as Outcome }
}

/** A call that writes, with the one that it needs first, if any. */
interface Writer {
  readonly steps: readonly CallStep[]
  readonly slots: ReadonlySet<bigint>
}

/** A call that was refused, and what it read before. */
interface Refused {
  readonly step: CallStep
  readonly slots: readonly bigint[]
}

/** More of any asset than anybody in a scene has: a payment whose failure goes unnoticed is credited. */
const beyondBalances = 10n ** 25n

const variantsOfNearer = 6
const maxRefused = 12
const maxPermits = 3

class Search<T> {
  readonly #chain: Chain
  readonly #quest: Quest<T>
  readonly #base: Snapshot
  readonly #promising: (readonly Step[])[] = []
  readonly #ordinary: (readonly Step[])[] = []
  readonly #seen = new Set<string>()
  readonly #suggested = new Set<readonly Step[]>()
  readonly #covered = new Set<string>()
  readonly #distances = new Map<string, bigint>()
  #turn = 0
  #writers: Writer[] | undefined
  #addressSlots: ReadonlySet<bigint> | undefined

  constructor(chain: Chain, quest: Quest<T>, base: Snapshot) {
    this.#chain = chain
    this.#quest = quest
    this.#base = base
  }

  add(steps: readonly Step[], promising = false): void {
    if (steps.filter(({ kind }) => kind === 'call').length > maxCallsPerAttempt) return
    const key = steps.map(keyOf).join('|')
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    ;(promising ? this.#promising : this.#ordinary).push(steps)
  }

  addSuggested(steps: readonly Step[]): void {
    this.#suggested.add(steps)
    this.add(steps, true)
  }

  next(): readonly Step[] | undefined {
    // Now and then something ordinary: one attempt may promise more than the calls that there are.
    const isOrdinary = ++this.#turn % turnsOfPromise === 0
    const [first, second] = isOrdinary ? [this.#ordinary, this.#promising] : [this.#promising, this.#ordinary]
    return first.shift() ?? second.shift()
  }

  async learn({ steps, outcomes }: Attempt, budget: Budget): Promise<void> {
    const at = outcomes.length - 1
    const step = steps[at]
    const outcome = outcomes[at]
    if (step?.kind !== 'call' || !outcome) return
    const isNew = this.#cover(outcome) || (this.#suggested.has(steps) && !outcome.ok)
    const [head, tail] = [steps.slice(0, at), steps.slice(at + 1)]
    if (!isNew && this.#seen.size > 40) {
      if (!this.#isNearer(steps, outcomes)) return
      for (const variant of adjust(step, outcome, this.#chain).slice(0, variantsOfNearer))
        this.add([...head, ...variant, ...tail])
      return
    }
    for (const variant of adjust(step, outcome, this.#chain)) this.add([...head, ...variant, ...tail], isNew)
    for (const before of await this.#writersOf(slotsRead(outcome, this.#quest.target.address), budget))
      for (const early of beforeWaiting(head, before)) this.add([...early, step, ...tail], isNew && !outcome.ok)
    if (!isNew) return
    this.#adjustEarlier(steps, outcomes)
    if (!outcome.ok) return
    for (const own of this.#withOwnAddresses(step, outcome)) this.add([...head, ...own.steps], true)
    for (const args of this.#withOtherAccounts(step)) this.add([...head, { ...step, args }, ...tail], true)
  }

  /** The arguments of a call that was granted, with each account in place of each: numbers that are accepted are worth keeping. */
  #withOtherAccounts({ fn, args }: CallStep): AbiValue[][] {
    const places = (fn?.inputs ?? []).flatMap(({ type }, place) => (type === 'address' ? [place] : []))
    return places.flatMap((place) =>
      this.#quest.pool.addresses.map((address) => args.map((value, at) => (at === place ? address : value))),
    )
  }

  /** A call that prepares may have succeeded without doing what it was made for, or have left what a later one compares. */
  #adjustEarlier(steps: readonly Step[], outcomes: readonly Outcome[]): void {
    const last = outcomes.at(-1) as Outcome
    for (const [at, step] of steps.slice(0, outcomes.length - 1).entries()) {
      if (step.kind !== 'call') continue
      const variants = [last, outcomes[at] as Outcome].flatMap((outcome) =>
        adjust(step, outcome, this.#chain).slice(0, 8),
      )
      for (const variant of variants)
        this.add([...steps.slice(0, at), ...variant, ...steps.slice(at + 1)], this.#suggested.has(steps))
    }
  }

  /** A call that is refused after other calls missed the last comparison by less than ever after these. */
  #isNearer(steps: readonly Step[], outcomes: readonly Outcome[]): boolean {
    const outcome = outcomes.at(-1) as Outcome
    const compared = outcome.ok ? undefined : outcome.trace.findLast((event) => comparisonOps.has(event.op))
    if (!compared || outcomes.length < 2) return false
    const [a = 0n, b = 0n] = compared.stack
    const calls = steps
      .slice(0, outcomes.length)
      .map((step) => (step.kind === 'call' ? (step.fn?.name ?? '') : step.kind))
    const key = `${calls.join(' ')} ${compared.code} ${compared.pc}`
    const distance = a > b ? a - b : b - a
    const least = this.#distances.get(key)
    if (least !== undefined && least <= distance) return false
    this.#distances.set(key, distance)
    return true
  }

  #cover(outcome: Outcome): boolean {
    let isNew = false
    const { target, isWide = false } = this.#quest
    const branches = (isWide ? this.#chain.instances : [target]).flatMap(({ address }) =>
      branchesOf(outcome, address).map((branch) => `${address} ${branch}`),
    )
    for (const branch of branches) {
      if (this.#covered.has(branch)) continue
      this.#covered.add(branch)
      isNew = true
    }
    return isNew
  }

  /** Calls that change what was read, in the order of the slots. */
  async #writersOf(slots: readonly bigint[], budget: Budget): Promise<(readonly CallStep[])[]> {
    if (slots.length === 0) return []
    this.#writers ??= await this.#profile(partOf(budget, 2))
    const found: (readonly CallStep[])[] = []
    for (const slot of slots) {
      for (const writer of this.#writers)
        if (writer.slots.has(slot) && !found.includes(writer.steps)) found.push(writer.steps)
    }
    return found.slice(0, 12)
  }

  /** Every function once, by each helper: what it writes, even where the call failed in the end. */
  async #profile(budget: Budget): Promise<Writer[]> {
    const { target, caller, helpers = [caller], pool } = this.#quest
    const writers: Writer[] = []
    const refused: Refused[] = []
    const entries = new Set([
      ...target.contract.functions.filter((fn) => !fn.isView),
      ...(target.contract.acceptsEther ? [null] : []),
      ...this.#quest.entries,
    ])
    for (const helper of helpers) {
      for (const fn of [...entries].slice(0, 60)) {
        const value = fn === null || fn.isPayable ? ether : 0n
        const small = { ...pool, numbers: [1n] }
        const large = { ...pool, numbers: [beyondBalances] }
        const lists = [pool, small, large].map((each) => argumentLists(fn, each, 1)[0] ?? [])
        for (const args of isSame(lists) ? lists.slice(2) : lists)
          await this.#profileCall(
            { kind: 'call', ...helper, to: target, fn, args, value },
            { writers, refused },
            budget,
          )
      }
    }
    return [...writers, ...(await this.#profilePermitted(writers, refused, budget))]
  }

  /** What is refused by itself may be granted after a call that writes what it read: a member may vote, a voter may elect. */
  async #profilePermitted(
    writers: readonly Writer[],
    refused: readonly Refused[],
    budget: Budget,
  ): Promise<readonly Writer[]> {
    const { target } = this.#quest
    const permitted: Writer[] = []
    for (const { step, slots } of refused.slice(0, maxRefused)) {
      const permits = writers.filter((writer) => slots.some((slot) => writer.slots.has(slot)))
      for (const { steps } of permits.slice(0, maxPermits)) {
        if (!budget.spend()) return permitted
        const attempt = await runSteps(this.#chain, this.#base, [...steps, step])
        const written = slotsWritten(attempt.outcome, target.address)
        if (!attempt.outcome.ok || attempt.outcomes.length <= steps.length || written.size === 0) continue
        permitted.push({ steps: [...steps, step], slots: written })
        break
      }
    }
    return permitted
  }

  /** The same call, where it puts an input into a slot that holds an address, with an address of the attacker. */
  #withOwnAddresses(step: CallStep, { trace }: Outcome): Writer[] {
    const { target, ownAddresses = [] } = this.#quest
    const words = inputWords(step.fn, step.args)
    const writes = trace.filter((event) => event.op === op.SSTORE && event.address === target.address)
    return writes.flatMap(({ stack: [slot = 0n, written = 0n] }) => {
      if (!this.#addresses().has(slot)) return []
      const word = words.find((each) => each.word === written)
      return ownAddresses.flatMap((own) => {
        const args = word?.replace(own)
        return args ? [{ steps: [{ ...step, args }], slots: new Set([slot]) }] : []
      })
    })
  }

  /** Slots of the target that held an address when the search began. */
  #addresses(): ReadonlySet<bigint> {
    if (!this.#addressSlots) {
      this.#chain.restore(this.#base)
      const storage = this.#chain.machine.storageOf(this.#quest.target.address)
      this.#addressSlots = new Set([...storage].flatMap(([slot, word]) => (isAddress(word) ? [slot] : [])))
    }
    return this.#addressSlots
  }

  async #profileCall(
    first: CallStep,
    { writers, refused }: { writers: Writer[]; refused: Refused[] },
    budget: Budget,
  ): Promise<void> {
    const queue = [first]
    for (let tries = 0; tries < 4 && queue.length > 0 && budget.spend(); tries++) {
      const step = queue.shift() as CallStep
      this.#chain.restore(this.#base)
      const outcome = await this.#chain.perform(step)
      const slots = slotsWritten(outcome, this.#quest.target.address)
      if (slots.size > 0) writers.push(...this.#withOwnAddresses(step, outcome), { steps: [step], slots })
      const read = outcome.ok || tries > 0 ? [] : slotsRead(outcome, this.#quest.target.address)
      if (read.length > 0 && slots.size === 0) refused.push({ step, slots: read })
      // One that went through and wrote nothing may write with more ether, or another argument.
      if (outcome.ok && slots.size > 0) return
      for (const variant of adjust(step, outcome, this.#chain).slice(0, 3)) {
        if (variant.length === 1) queue.push(variant[0] as CallStep)
      }
    }
  }
}

/** What prepares a call that waited comes right before it, or before the wait: a deposit may be too late by then. */
const beforeWaiting = (head: readonly Step[], steps: readonly Step[]): (readonly Step[])[] => {
  const wait = head.at(-1)
  return wait?.kind === 'advance'
    ? [
        [...head.slice(0, -1), ...steps, wait],
        [...head, ...steps],
      ]
    : [[...head, ...steps]]
}

/** Amounts are smaller, hashes larger. */
const isAddress = (word: bigint): boolean => word >= 1n << 128n && word < 1n << 160n

const isSame = (lists: readonly (readonly AbiValue[])[]): boolean =>
  new Set(lists.map((list) => JSON.stringify(list, (_, item) => (typeof item === 'bigint' ? `${item}n` : item))))
    .size === 1

/** The same for the same step. */
export const keyOf = (step: Step): string => {
  if (step.kind !== 'call')
    return JSON.stringify(step, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  const { actor, via, to, fn, args, value, data = '' } = step
  const list = JSON.stringify(args, (_, item) => (typeof item === 'bigint' ? `${item}n` : item))
  return `${actor}/${via}/${to.name}.${fn ? signatureOf(fn) : ''}${list}${value}${data}`
}
