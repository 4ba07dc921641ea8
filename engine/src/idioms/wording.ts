/** For messages: values as they are written, and the functions that a wrong number reaches. */
import { describeValue, type Flow, type Op } from '../ir/index.ts'

/** A value in code as it is written; `otherwise` where that is too long for a message. */
export const quoteValue = ({ model }: Flow, value: Op, otherwise: string): string => {
  const written = describeValue(model, value)
  return written === '…' || /[\n`]/.test(written) ? otherwise : `\`${written}\``
}
