/** Questions about conditions, one for each subject, so that each condition is asked once. */
import type { Fact } from '../../facts/index.ts'
import type { Flow } from '../../ir/index.ts'

export type Question = (flow: Flow, fact: Fact) => boolean

export const onePer = <Subject, T>(make: (subject: Subject) => T): ((subject: Subject) => T) => {
  const known = new Map<Subject, T>()
  return (subject) => {
    const made = known.get(subject) ?? make(subject)
    known.set(subject, made)
    return made
  }
}
