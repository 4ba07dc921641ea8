/** Price feeds, by the descriptions of those in use. */
import type { Op } from '../ir/index.ts'
import { type KnownReading, readingOf } from '../knowledge/index.ts'

/** Reads a feed's last reported answer: what is known of it, or undefined. */
export const feedAnswer = ({ call, args }: Op): KnownReading | undefined => {
  const reading = call?.kind === 'external' ? readingOf(call.name, args.length) : undefined
  return reading?.movedBy === 'report' ? reading : undefined
}
