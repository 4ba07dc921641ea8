/**
 * Which bodies of a file are read while a set is open. Everything else of a file is its declarations, so a result that was
 * made from the same declarations and the same bodies is the same result.
 */
export class BodyReads {
  #open: Set<object> | null = null

  /** From now on, what is read is added to the set; null: nobody asks. */
  addTo(open: Set<object> | null): void {
    this.#open = open
  }

  /** A function or modifier, a list of all nodes, the versions that pragmas admit, or the text of a file. */
  note(read: object): void {
    this.#open?.add(read)
  }
}
