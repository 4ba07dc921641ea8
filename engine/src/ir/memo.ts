/** Questions about one subject, each worked out once. Kept with the subject and not in a WeakMap, which outlives the scan. */
export class Memo<Subject> {
  readonly #known = new Map<(subject: Subject) => unknown, unknown>()

  of<T>(question: (subject: Subject) => T, subject: Subject): T {
    const known = this.#known.get(question)
    // That there is no answer is an answer too, and is not worked out again.
    if (known !== undefined || this.#known.has(question)) return known as T
    const answer = question(subject)
    this.#known.set(question, answer)
    return answer
  }
}
