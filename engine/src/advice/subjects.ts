/** The subjects that most practices speak of: functions, as callers see them or as they are written. */
import type { Flow, Op } from '../ir/index.ts'
import type { SourceFile } from '../model/index.ts'
import type { Subject } from './practice.ts'

/** The function that a flow begins with; a construction without written constructor has none. */
export const subjectOf = ({ fn, name }: Flow, isKept?: boolean): Subject | null =>
  fn === null ? null : { at: fn.node, name, ...(isKept === undefined ? {} : { isKept }) }

/** The functions of flows of which something holds. */
export function* functionsThat(flows: Iterable<Flow>, holds: (flow: Flow) => boolean): Generator<Subject> {
  for (const flow of flows) {
    const subject = holds(flow) ? subjectOf(flow) : null
    if (subject !== null) yield subject
  }
}

/** The function or modifier in whose text an operation stands: for code of a known library, where that is called. */
export const writerOf = ({ model }: Flow, { start }: Op, isKept?: boolean): Subject | null => {
  const writer = model.functionAt(start) ?? model.modifierAt(start)
  if (writer === undefined) return null
  const name = writer.kind === 'function' ? writer.name || writer.role : writer.name
  return { at: writer.node, name, ...(isKept === undefined ? {} : { isKept }) }
}

/** The operation is written in a given file, not imported from a known library. */
export const isWritten = ({ node, start }: Op): boolean => node !== null && node.start === start

export const fileOf = ({ model }: Flow, { start }: Op): SourceFile | undefined => model.fileAt(start)
