/** Questions about one subject, each worked out once. Kept with the subject and not in a WeakMap, which outlives the scan. */
export class Memo<Subject> {
  readonly #known = new Map<(subject: Subject) => unknown, unknown>()

  of<T>(question: (subject: Subject) => T, subject: Subject): T {
    let known = this.#known.get(question) as T | undefined
    if (known === undefined) {
      known = question(subject)
      this.#known.set(question, known)
    }
    return known
  }
}
