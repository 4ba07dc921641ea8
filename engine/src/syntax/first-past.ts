/** Index of the first item that is past something, or the length: items are in order, so all after it are past as well. */
export const firstPast = <T>(items: readonly T[], isPast: (item: T) => boolean): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (isPast(items[middle]!)) high = middle
    else low = middle + 1
  }
  return low
}
