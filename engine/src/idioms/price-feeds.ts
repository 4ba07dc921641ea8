/** Price feeds, recognized by the selectors that the feeds in use answer to. */
import type { Op } from '../ir/index.ts'

/** Asks a feed for its last answer: `latestRoundData()`, or the older `latestAnswer()`. */
export const isFeedAnswer = ({ call, args }: Op): boolean =>
  call !== null &&
  call.kind === 'external' &&
  args.length === 0 &&
  (call.name === 'latestRoundData' || call.name === 'latestAnswer')
