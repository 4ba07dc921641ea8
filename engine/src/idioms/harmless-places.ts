/** Excuses that several detectors share: whatever is done at such a place, nobody loses by it. */
import { isReachable, isUndone, runsElsewhere, runsOnce } from '../facts/index.ts'
import type { Flow, Op } from '../ir/index.ts'

interface Place {
  readonly flow: Flow
  readonly op: Op
}

/** The shared excuse for code that no condition on the path lets run. */
export const unreachable = {
  name: 'unreachable',
  sentence: 'the code is unreachable',
  holds: ({ flow, op }: Place): boolean => !isReachable(flow, op),
}

/** The shared excuse for what a revert undoes on every path on. */
export const undone = {
  name: 'undone',
  sentence: 'every path from there reverts',
  holds: ({ flow, op }: Place): boolean => isUndone(flow, op),
}

/** The shared excuse for code that runs in the contracts which delegate to it. */
export const runsForOthers = {
  name: 'runs-for-others',
  sentence: 'it only runs by `delegatecall`, on the storage of the calling contract',
  holds: ({ flow, op }: Place): boolean => runsElsewhere(flow, op),
}

/** The shared excuse for code that runs once, before anyone relies on it. */
export const initializer = {
  name: 'initializer',
  sentence: 'the function only works until the value is set once',
  holds: ({ flow, op }: Place): boolean => runsOnce(flow, op),
}
