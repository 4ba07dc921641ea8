/**
 * Who is served next. Better plans come first; within a plan the accounts take turns, so that a hundred scans of one account delay
 * another's by one at most. An account that already has its share of workers waits while anybody else does.
 */
export interface Owner {
  readonly account: string
  /** Of the plan: 0 is served first. */
  readonly rank: number
}

export interface Line<Entry extends { readonly owner: Owner }> {
  add(entry: Entry): void
  /** False when it is not waiting. */
  remove(entry: Entry): boolean
  /** Takes out whoever is served next; undefined when nobody may be. */
  next(load: (account: string) => Load): Entry | undefined
  /** How many that wait would be served before one more of this owner. */
  countAhead(owner: Owner): number
  /**
   * Who has waited longest of those that are served before one more of this owner. Whoever waits because its own account has its share
   * says nothing about how long others would.
   */
  oldest(owner: Owner, load: (account: string) => Load): Entry | undefined
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

export function createLine<Entry extends { readonly owner: Owner }>(): Line<Entry> {
  const waiting: Entry[] = []
  /** When an account was served last; grows by one with each. */
  const turns = new Map<string, number>()
  let turn = 0

  const isBefore = (a: Entry, b: Entry): boolean =>
    a.owner.rank !== b.owner.rank
      ? a.owner.rank < b.owner.rank
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

  return {
    add: (entry) => void waiting.push(entry),
    remove,
    next(load) {
      const hasRoom = ({ owner }: Entry): boolean => load(owner.account).slow < SHARE
      const entry =
        first((one) => hasRoom(one) && load(one.owner.account).running < SHARE) ?? first((one) => hasRoom(one))
      if (!entry) return undefined
      remove(entry)
      turn += 1
      turns.set(entry.owner.account, turn)
      return entry
    },
    countAhead({ account, rank }) {
      const places = new Map<string, number>()
      let better = 0
      for (const { owner } of waiting) {
        if (owner.rank < rank) better += 1
        else if (owner.rank === rank) places.set(owner.account, (places.get(owner.account) ?? 0) + 1)
      }
      const own = places.get(account) ?? 0
      places.delete(account)
      let beside = 0
      for (const count of places.values()) beside += Math.min(count, own + 1)
      return better + own + beside
    },
    oldest({ account, rank }, load) {
      const isWithinShare = load(account).running < SHARE
      const isAhead = (name: string): boolean =>
        name === account || (load(name).slow < SHARE && (!isWithinShare || load(name).running < SHARE))
      return waiting.find(({ owner }) => owner.rank <= rank && isAhead(owner.account))
    },
    get size() {
      return waiting.length
    },
  }
}
