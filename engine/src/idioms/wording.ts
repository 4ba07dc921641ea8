/** For messages: values as they are written, and the functions that a wrong number reaches. */
import { describeValue, type Flow, type Op } from '../ir/index.ts'
import type { VariableModel } from '../model/index.ts'
import { listFunctions } from './witness.ts'

/** A value in code as it is written; `otherwise` where that is too long for a message. */
export const quoteValue = ({ model }: Flow, value: Op, otherwise: string): string => {
  const written = describeValue(model, value)
  return written === '…' || /[\n`]/.test(written) ? otherwise : `\`${written}\``
}

/** Other functions that transactions start and that read the variable; null where there is none. */
export const listReaders = (flow: Flow, variable: VariableModel | null): string | null => {
  if (variable === null) return null
  const readers = flow.contractFlow
    .readersOf(variable)
    .map((access) => access.flow)
    .filter((reader) => reader.isEntryPoint && reader.fn !== null && reader.fn !== flow.fn)
  return readers.length === 0 ? null : listFunctions([...new Set(readers)])
}
