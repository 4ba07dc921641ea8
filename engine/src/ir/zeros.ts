/** Lists of zeros, one number per operation: cut from a ready one, which for the small flows that most are is the fastest. */
const ready: readonly number[] = Array.from({ length: 1024 }, () => 0)

export const zeros = (length: number): number[] =>
  length <= ready.length ? ready.slice(0, length) : new Array<number>(length).fill(0)
