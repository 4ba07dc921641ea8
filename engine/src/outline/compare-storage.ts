import type { StorageEntry } from './storage-layout.ts'

/** What an upgrade does to one variable. `problem`: state would be read as something else. */
export interface StorageChange {
  readonly level: 'problem' | 'note'
  readonly message: string
}

const placeOf = ({ slot, offset, namespace }: StorageEntry): string => {
  const shown = namespace === undefined ? `slot ${slot}` : `slot ${BigInt(slot) & 0xffn} of namespace ${namespace}`
  return offset === 0 ? shown : `${shown}, byte ${offset}`
}
const endOf = ({ slot, offset, bytes }: StorageEntry): bigint => BigInt(slot) * 32n + BigInt(offset + bytes)
const startOf = ({ slot, offset }: StorageEntry): bigint => BigInt(slot) * 32n + BigInt(offset)

/** Compares two versions of a contract: what was stored must be found again where it was, as what it was. */
export const compareStorage = (before: readonly StorageEntry[], after: readonly StorageEntry[]): StorageChange[] => {
  const changes: StorageChange[] = []
  const found = new Set<StorageEntry>()
  for (const old of before) {
    const same =
      // Two bases of one name, from two packages, have variables of one name: they keep their order.
      after.find((entry) => !found.has(entry) && entry.name === old.name && entry.contract === old.contract) ??
      after.find(
        (entry) =>
          entry.name === old.name &&
          !before.some((other) => other.name === entry.name && other.contract === entry.contract),
      )
    if (same) {
      found.add(same)
      changes.push(...compareEntry(old, same))
    } else changes.push(...compareGone(old, after, before, found))
  }
  for (const entry of after) if (!found.has(entry)) changes.push(...compareNew(entry, before))
  return changes
}

const compareEntry = (old: StorageEntry, now: StorageEntry): StorageChange[] => {
  if (old.isGap && now.isGap) return compareGap(old, now)
  const changes: StorageChange[] = []
  if (startOf(old) !== startOf(now))
    changes.push({ level: 'problem', message: `${now.name} moves from ${placeOf(old)} to ${placeOf(now)}.` })
  if (old.shape !== now.shape) {
    const isGrown = isAppended(old.shape, now.shape)
    changes.push(
      isGrown
        ? { level: 'note', message: `${now.name}: ${now.type} gains fields at its end.` }
        : {
            level: 'problem',
            message: `${now.name} was ${old.type} and becomes ${now.type}${old.type === now.type ? ' with other fields' : ''}.`,
          },
    )
  }
  return changes
}

/** A gap may shrink from its beginning, as long as it ends where it ended. */
const compareGap = (old: StorageEntry, now: StorageEntry): StorageChange[] =>
  endOf(old) === endOf(now)
    ? startOf(old) === startOf(now)
      ? []
      : [
          {
            level: 'note',
            message: `${now.name} is used up by ${(startOf(now) - startOf(old)) / 32n} slots and ends where it did.`,
          },
        ]
    : [
        {
          level: 'problem',
          message: `${now.name} ended before slot ${endOf(old) / 32n} and now ends before slot ${endOf(now) / 32n}: what follows it moves.`,
        },
      ]

/** Fields at the end of a struct behind a mapping disturb nothing; inside of an array or in the open they would move others. */
const isAppended = (old: string, now: string): boolean => {
  const inner = (shape: string) => /^mapping\(.*=> struct \{ (.*) \}\)$/.exec(shape)?.[1]
  const [was, is] = [inner(old), inner(now)]
  return was !== undefined && is?.startsWith(was) === true
}

const compareGone = (
  old: StorageEntry,
  after: readonly StorageEntry[],
  before: readonly StorageEntry[],
  found: Set<StorageEntry>,
): StorageChange[] => {
  const successor = after.find(
    (entry) => startOf(entry) === startOf(old) && !before.some(({ name }) => name === entry.name),
  )
  if (successor && successor.shape === old.shape) {
    found.add(successor)
    return [{ level: 'note', message: `${old.name} is now called ${successor.name} (${placeOf(old)}).` }]
  }
  if (old.isGap) return [{ level: 'note', message: `The gap ${old.name} of ${old.contract} is gone.` }]
  return [{ level: 'problem', message: `${old.name} (${old.type}) at ${placeOf(old)} is gone.` }]
}

const compareNew = (entry: StorageEntry, before: readonly StorageEntry[]): StorageChange[] => {
  const overlapped = before.filter((old) => !old.isGap && startOf(old) < endOf(entry) && startOf(entry) < endOf(old))
  if (overlapped.length > 0)
    return [
      {
        level: 'problem',
        message: `The new ${entry.name} (${entry.type}) at ${placeOf(entry)} takes the place of ${overlapped.map(({ name }) => name).join(', ')}.`,
      },
    ]
  return [{ level: 'note', message: `${entry.name} (${entry.type}) is new at ${placeOf(entry)}.` }]
}
