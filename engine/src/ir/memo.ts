/** Questions about one subject, each worked out once. Kept with the subject and not in a WeakMap, which outlives the scan. */
export class Memo<Subject> {
  readonly #known = new Map<(subject: Subject) => unknown, unknown>()
  readonly #about = new Map<unknown, Map<unknown, unknown>>()

  of<T>(question: (subject: Subject) => T, subject: Subject): T {
    const known = this.#known.get(question)
    // That there is no answer is an answer too, and is not worked out again.
    if (known !== undefined || this.#known.has(question)) return known as T
    const answer = question(subject)
    this.#known.set(question, answer)
    return answer
  }

  /** A question about one thing of the subject. `meanwhile` answers those who ask the same before the answer is found. */
  about<T>(question: unknown, key: unknown, find: () => T, meanwhile?: T): T {
    let answers = this.#about.get(question) as Map<unknown, T> | undefined
    if (answers === undefined) {
      answers = new Map()
      this.#about.set(question, answers)
    }
    const known = answers.get(key)
    if (known !== undefined || answers.has(key)) return known as T
    if (meanwhile !== undefined) answers.set(key, meanwhile)
    const answer = find()
    answers.set(key, answer)
    return answer
  }
}
