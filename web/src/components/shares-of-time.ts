/** Where moments are between the first and the last, as parts of one; oldest first. */
export function sharesOfTime(moments: readonly number[]): number[] {
  const [first = 0, last = 0] = [moments[0], moments.at(-1)]
  if (moments.length < 2) return moments.map(() => 0.5)
  if (last <= first) return moments.map((_, index) => index / (moments.length - 1))
  return moments.map((moment) => (moment - first) / (last - first))
}
