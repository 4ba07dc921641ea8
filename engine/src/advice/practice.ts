import type { Context, Need } from '../ir/index.ts'
import type { Model, SourceFile } from '../model/index.ts'
import type { Span } from '../syntax/index.ts'

/** Something a practice applies to: a function, a file, a contract, a statement. */
export interface Subject {
  /** Tells the file, and one subject from another. */
  readonly at: Span
  readonly name: string
  /** Whether the practice is kept here. Of a check nobody but a person can tell. */
  readonly isKept?: boolean
}

/** One practice: what it concerns, by facts, and what to say where it is kept or not. */
export interface Practice {
  readonly id: string
  readonly category: string
  /** What a function must hold to concern it, as for the claim of a detector. */
  readonly needs?: readonly Need[]
  /** What it concerns in what functions do: evaluated once per partition of the scan. */
  subjects?(context: Context): Iterable<Subject>
  /** What it concerns in what is declared and written: evaluated once per file. */
  subjectsInFile?(file: SourceFile, model: Model): Iterable<Subject>
  /** Said when every subject of a file keeps it; absent: nothing is said then. */
  readonly kept?: string
  /** A question to a person, whatever the facts are. */
  readonly isCheck?: boolean
  /** Goes into the recommendations as well where it is not kept. */
  readonly isUrgent?: boolean
  /** Of those that do not keep it, among all; null: they are too few to speak of. */
  advice(open: readonly Subject[], all: readonly Subject[]): string | null
}

/** What is left out is noted as left out, as in detectors: all have one shape. */
export const definePractice = (practice: Practice): Practice =>
  Object.freeze({
    id: practice.id,
    category: practice.category,
    needs: practice.needs,
    subjects: practice.subjects,
    subjectsInFile: practice.subjectsInFile,
    kept: practice.kept,
    isCheck: practice.isCheck,
    isUrgent: practice.isUrgent,
    advice: practice.advice,
  } as Practice)

/** `a`, `b`, `c` and 2 more: each name once. */
export const namesOf = (subjects: readonly Subject[]): string => {
  const names = [...new Set(subjects.map(({ name }) => name))]
  const shown = names.slice(0, 3).map((name) => `\`${name}\``)
  return names.length > 3 ? `${shown.join(', ')} and ${names.length - 3} more` : shown.join(', ')
}
