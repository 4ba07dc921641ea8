/**
 * Gathers what the practices concern while a scan is followed, a partition at a time, and then says for each file what is done, what
 * is to do and what someone should check. Keeps places and names only, so that a partition can be let go.
 */
import type { Context } from '../ir/index.ts'
import type { Model, SourceFile } from '../model/index.ts'
import type { Practice, Subject } from './practice.ts'
import { practices } from './practices/index.ts'

export interface Advice {
  /** What is urgent among the things to do, in the order of the checklist. */
  readonly urgent: readonly string[]
  /** What applies to the file, by category; each item begins with `Done:`, `To do:` or `Check:`. */
  readonly checklist: readonly { readonly category: string; readonly items: readonly string[] }[]
  /** The same, practice by practice: for who judges several files together. */
  readonly judged: readonly Judged[]
}

/** What is said of one practice in one file. */
export interface Judged {
  readonly practice: string
  readonly category: string
  readonly isUrgent: boolean
  /** `Done: …`, `To do: …` or `Check: …` */
  readonly item: string
}

/** Something that a practice concerns, by the id of the practice. */
export interface Concern {
  readonly practice: string
  readonly subject: Subject
}

/** What a practice concerns in one file, by place, in the order of the text. */
type Subjects = Map<number, Subject>

export class Adviser {
  readonly #practices: readonly Practice[]
  readonly #byId: ReadonlyMap<string, Practice>
  /** By practice and by the base of the file. */
  readonly #found = new Map<Practice, Map<number, Subjects>>()
  readonly #failed = new Set<string>()

  constructor(selected: readonly Practice[] = practices) {
    this.#practices = selected
    this.#byId = new Map(selected.map((practice) => [practice.id, practice]))
  }

  /** Ids of practices that threw. */
  get failed(): readonly string[] {
    return [...this.#failed]
  }

  look(context: Context): void {
    this.add(context.model, this.subjectsIn(context))
  }

  /** What the practices concern in a partition. */
  subjectsIn(context: Context): readonly Concern[] {
    return this.#practices.flatMap((practice) =>
      practice.subjects === undefined ? [] : this.#gather(practice, () => subjectsIn(practice, context)),
    )
  }

  add(model: Model, concerns: readonly Concern[]): void {
    for (const { practice, subject } of concerns) this.#add(this.#byId.get(practice)!, model, subject)
  }

  /** What they concern in what a file declares and says. */
  subjectsInFile(file: SourceFile, model: Model): readonly Concern[] {
    return this.#practices.flatMap((practice) =>
      practice.subjectsInFile === undefined ? [] : this.#gather(practice, () => practice.subjectsInFile?.(file, model)),
    )
  }

  adviceOn({ base }: { readonly base: number }): Advice {
    const urgent: string[] = []
    const checklist: { category: string; items: string[] }[] = []
    const judged: Judged[] = []
    for (const practice of this.#practices) {
      const subjects = this.#found.get(practice)?.get(base)
      const item = subjects && judge(practice, inOrder(subjects), urgent)
      if (!item) continue
      const { id, category, isUrgent = false } = practice
      judged.push({ practice: id, category, isUrgent, item })
      // The practices of a category stand together.
      const last = checklist.at(-1)
      if (last?.category === practice.category) last.items.push(item)
      else checklist.push({ category: practice.category, items: [item] })
    }
    return { urgent, checklist, judged }
  }

  /** A practice that throws costs its own advice alone. */
  #gather(practice: Practice, query: () => Iterable<Subject> | undefined): Concern[] {
    const concerns: Concern[] = []
    try {
      for (const { at, name, isKept } of query() ?? []) {
        const { start, end } = at
        const subject = { at: { start, end }, name, ...(isKept === undefined ? {} : { isKept }) }
        concerns.push({ practice: practice.id, subject })
      }
    } catch {
      this.#failed.add(practice.id)
    }
    return concerns
  }

  #add(practice: Practice, model: Model, subject: Subject): void {
    const { at, isKept } = subject
    const file = model.fileAt(at.start)
    if (file === undefined || file.isStub) return
    const byFile = entryOf(this.#found, practice, () => new Map<number, Subjects>())
    const subjects = entryOf(byFile, file.base, (): Subjects => new Map())
    const known = subjects.get(at.start)
    // A function that several contracts run keeps a practice when it does in each of them.
    if (known !== undefined && (known.isKept === false || isKept !== false)) return
    subjects.set(at.start, subject)
  }
}

/** Among the functions that hold what the practice needs. */
const subjectsIn = (practice: Practice, context: Context): Iterable<Subject> | undefined => {
  const narrowed = practice.needs === undefined ? context : context.having(practice.needs)
  return narrowed.isEmpty ? undefined : practice.subjects?.(narrowed)
}

const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  let value = map.get(key)
  if (value === undefined) {
    value = make()
    map.set(key, value)
  }
  return value
}

const inOrder = (subjects: Subjects): readonly Subject[] =>
  [...subjects.values()].sort((a, b) => a.at.start - b.at.start)

/** What to say about a practice that applies; null: nothing. */
const judge = (practice: Practice, all: readonly Subject[], urgent: string[]): string | null => {
  const open = all.filter(({ isKept }) => isKept !== true)
  if (practice.isCheck) return labelled('Check', practice.advice(open, all))
  if (open.length === 0) return practice.kept === undefined ? null : labelled('Done', practice.kept)
  const advice = practice.advice(open, all)
  if (advice !== null && practice.isUrgent) urgent.push(advice)
  return labelled('To do', advice)
}

const labelled = (label: string, words: string | null): string | null => (words === null ? null : `${label}: ${words}`)
