/** Questions about one subject, each worked out once. Kept with the subject and not in a WeakMap, which outlives the scan. */
export class Memo<Subject> {
  readonly #known = new Map<(subject: Subject) => unknown, unknown>()

  of<T>(question: (subject: Subject) => T, subject: Subject): T {
    // That there is no answer is an answer too, and is not worked out again.
    if (!this.#known.has(question)) this.#known.set(question, question(subject))
    return this.#known.get(question) as T
  }
}
