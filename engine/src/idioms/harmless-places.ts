/** Excuses that several detectors share: whatever is done at such a place, nobody loses by it. */
import { isReachable, isSettledAtEnd, isUndone, runsElsewhere, runsOnce } from '../facts/index.ts'
import type { Flow, Op } from '../ir/index.ts'

interface Place {
  readonly flow: Flow
  readonly op: Op
}

/** The shared excuse for code that no condition on the way lets run. */
export const unreachable = {
  name: 'unreachable',
  sentence: 'no input leads there',
  holds: ({ flow, op }: Place): boolean => !isReachable(flow, op),
}

/** The shared excuse for what a revert undoes on every way on. */
export const undone = {
  name: 'undone',
  sentence: 'every path from there reverts, so nothing of it remains',
  holds: ({ flow, op }: Place): boolean => isUndone(flow, op),
}

/** The shared excuse for code that runs in the contracts which delegate to it. */
export const runsForOthers = {
  name: 'runs-for-others',
  sentence: 'it runs by `delegatecall` only, on the account of whoever asks for it',
  holds: ({ flow, op }: Place): boolean => runsElsewhere(flow, op),
}

/** The shared excuse for what is taken within a session that must be settled when it ends. */
export const settledAtEnd = {
  name: 'settled-at-end',
  sentence: 'what is taken is a debt that must be settled before the outer call ends',
  holds: ({ flow, op }: Place): boolean => isSettledAtEnd(flow, op),
}

/** The shared excuse for code that runs once, before anybody relies on it. */
export const initialiser = {
  name: 'initialiser',
  sentence: 'it works only as long as nothing is set, to set it up',
  holds: ({ flow, op }: Place): boolean => runsOnce(flow, op),
}
