/** A list that is filled anew for every function and keeps its room: growing a fresh one costs more than what goes in. */
export class Pile<T> {
  readonly items: T[] = []
  count = 0

  push(item: T): void {
    this.items[this.count++] = item
  }

  clear(): void {
    this.count = 0
  }

  copy(): T[] {
    if (this.count === 0) return []
    return this.count === 1 ? [this.items[0]!] : this.items.slice(0, this.count)
  }
}
