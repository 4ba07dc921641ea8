/**
 * Who is served next. Better plans come first, but not before what has been promised its turn; within a rank the accounts take turns, so
 * that a hundred scans of one account delay another's by one at most. An account that already has its share of workers waits while anyone
 * else does.
 */
export interface Owner {
  readonly account: string
  /** Of the plan: 0 is served first. */
  readonly rank: number
}

export interface Waiting {
  readonly owner: Owner
  /** It has been instructed to wait: from then on no better plan overtakes it. */
  readonly isPromised?: boolean
}

export interface Line<Entry extends Waiting> {
  add(entry: Entry): void
  /** False when it is not waiting. */
  remove(entry: Entry): boolean
  /** Removes and returns the next task that may run; undefined when none may. */
  next(load: (account: string) => Load, isAllowed?: (owner: Owner) => boolean): Entry | undefined
  /** How many of these that wait would be served before one more of this owner. */
  countAhead(owner: Owner, isRival?: (other: Owner) => boolean): number
  /** How many of these that wait are served before this one, as things stand. */
  countBefore(entry: Entry, isRival?: (other: Owner) => boolean): number
  /** How many of this account wait. */
  countOf(account: string): number
  /**
   * Who has waited longest of those that are served before one more of this owner. Anyone who waits because its own account has its share
   * says nothing about how long others would.
   */
  oldest(owner: Owner, load: (account: string) => Load, isRival?: (other: Owner) => boolean): Entry | undefined
  readonly size: number
}

/** What an account keeps busy just now. */
export interface Load {
  readonly running: number
  /** Of these, how many have taken so long that they moved out of the others' way. */
  readonly slow: number
}

/** Of one account, while others wait; and of scans that take long, at any time. */
export const SHARE = 2

const PROMISED_RANK = 0

const anyone = (): boolean => true

export function createLine<Entry extends Waiting>(): Line<Entry> {
  const waiting: Entry[] = []
  /** When an account was served last; grows by one with each. */
  const turns = new Map<string, number>()
  let turn = 0

  const rankOf = ({ owner, isPromised }: Entry): number => (isPromised ? PROMISED_RANK : owner.rank)

  const isBefore = (a: Entry, b: Entry): boolean =>
    rankOf(a) !== rankOf(b)
      ? rankOf(a) < rankOf(b)
      : (turns.get(a.owner.account) ?? 0) < (turns.get(b.owner.account) ?? 0)

  const first = (isAllowed: (entry: Entry) => boolean): Entry | undefined => {
    let best: Entry | undefined
    for (const entry of waiting) if (isAllowed(entry) && (!best || isBefore(entry, best))) best = entry
    return best
  }

  const remove = (entry: Entry): boolean => {
    const at = waiting.indexOf(entry)
    if (at < 0) return false
    waiting.splice(at, 1)
    // An account nobody waits for starts afresh: what it had long ago counts for nothing.
    if (waiting.length === 0) turns.clear()
    return true
  }

  /** Better ranks, own ones, and as many rounds of the others. */
  const countAhead = ({ account, rank }: Owner, entries: readonly Entry[]): number => {
    const places = new Map<string, number>()
    let better = 0
    for (const entry of entries) {
      if (rankOf(entry) < rank) better += 1
      else if (rankOf(entry) === rank) places.set(entry.owner.account, (places.get(entry.owner.account) ?? 0) + 1)
    }
    const own = places.get(account) ?? 0
    places.delete(account)
    let beside = 0
    for (const count of places.values()) beside += Math.min(count, own + 1)
    return better + own + beside
  }

  return {
    add: (entry) => void waiting.push(entry),
    remove,
    next(load, isAllowed = anyone) {
      const hasRoom = ({ owner }: Entry): boolean => load(owner.account).slow < SHARE && isAllowed(owner)
      const entry =
        first((one) => hasRoom(one) && load(one.owner.account).running < SHARE) ?? first((one) => hasRoom(one))
      if (!entry) return undefined
      remove(entry)
      turn += 1
      turns.set(entry.owner.account, turn)
      return entry
    },
    countAhead: (owner, isRival = anyone) =>
      countAhead(
        owner,
        waiting.filter((entry) => isRival(entry.owner)),
      ),
    countBefore(entry, isRival = anyone) {
      const place = waiting.indexOf(entry)
      const others = waiting.filter(({ owner }, at) => owner.account !== entry.owner.account || at < place)
      return countAhead(
        entry.owner,
        others.filter(({ owner }) => isRival(owner)),
      )
    },
    countOf: (account) => waiting.filter(({ owner }) => owner.account === account).length,
    oldest({ account, rank }, load, isRival = anyone) {
      const isWithinShare = load(account).running < SHARE
      const isAhead = (name: string): boolean =>
        name === account || (load(name).slow < SHARE && (!isWithinShare || load(name).running < SHARE))
      return waiting.find((entry) => rankOf(entry) <= rank && isAhead(entry.owner.account) && isRival(entry.owner))
    },
    get size() {
      return waiting.length
    },
  }
}
