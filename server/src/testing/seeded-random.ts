/** Chance that can be repeated: the same seed makes the same choices. */
export interface SeededRandom {
  readonly seed: number
  /** In [0, 1). */
  fraction(): number
  /** In [0, below). */
  integer(below: number): number
  pick<T>(from: readonly T[]): T
  /** A copy in another order. */
  shuffle<T>(items: readonly T[]): T[]
}

/** Mulberry32; without a seed, one from the clock, which the caller prints. */
export function seededRandom(given: string | number | undefined): SeededRandom {
  const seed = given === undefined || given === '' ? Date.now() % 2 ** 31 : Number(given)
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const integer = (below: number): number => Math.floor(fraction() * below)
  return {
    seed,
    fraction,
    integer,
    pick: (from) => from[integer(from.length)] as never,
    shuffle: (items) =>
      items
        .map((item) => [fraction(), item] as const)
        .sort(([left], [right]) => left - right)
        .map(([, item]) => item),
  }
}
