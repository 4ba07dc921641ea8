/** A list that is filled anew for every function and keeps its room: growing a fresh one costs more than what goes in. */
export class ListBuffer<T> {
  readonly items: T[] = []
  count = 0

  push(item: T): void {
    this.items[this.count++] = item
  }

  clear(): void {
    this.count = 0
  }

  copy(): T[] {
    return cut(this.items, 0, this.count)
  }
}

/** A part of a list, as a list of its own. Most are this short, and written out they take a tenth of the time. */
export const cut = <T>(items: readonly T[], from: number, end: number): T[] => {
  switch (end - from) {
    case 0:
      return []
    case 1:
      return [items[from]!]
    case 2:
      return [items[from]!, items[from + 1]!]
    case 3:
      return [items[from]!, items[from + 1]!, items[from + 2]!]
    case 4:
      return [items[from]!, items[from + 1]!, items[from + 2]!, items[from + 3]!]
    default:
      return items.slice(from, end)
  }
}
