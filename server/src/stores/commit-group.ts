import type { SqliteConnection } from './sqlite-connection.ts'

/**
 * Several small transactions in one of the database's: each is a savepoint that can be undone alone, and all of them become durable by
 * one commit. If that fails, every one of them has failed.
 */
export interface CommitGroup {
  /** Whether the database's transaction is open. */
  readonly isOpen: boolean
  /** Transactions in it so far. */
  readonly size: number
  /** Starts a transaction in the group; the database's must have begun. */
  enter(): void
  /** Counts a single statement in: it needs no savepoint, because it happens wholly or not at all by itself. */
  add(): void
  leave(): void
  undo(): void
  /** The database has given the whole group up, as it does when the disk is full: every transaction in it has failed. */
  fail(error: unknown): void
  /** Settles when the group is on the disk, or fails with it. */
  join(): Promise<void>
  /** Writes the group to the disk, if one is open. */
  commit(): void
}

interface Member {
  resolve(): void
  reject(error: unknown): void
}

export function createCommitGroup(connection: SqliteConnection): CommitGroup {
  let isOpen = false
  let size = 0
  let members: Member[] = []

  const close = (settle: (member: Member) => void): void => {
    const closed = members
    members = []
    isOpen = false
    size = 0
    closed.forEach(settle)
  }
  const fail = (error: unknown): void => {
    try {
      connection.run('rollback', [])
    } catch {
      // The database has rolled back by itself.
    }
    close((member) => member.reject(error))
  }
  /** Runs a statement that the group cannot live without. */
  const must = (statement: string): void => {
    try {
      connection.run(statement, [])
    } catch (error) {
      fail(error)
      throw error
    }
  }

  return {
    get isOpen() {
      return isOpen
    },
    get size() {
      return size
    },
    enter() {
      isOpen = true
      size += 1
      must('savepoint one')
    },
    add() {
      isOpen = true
      size += 1
    },
    leave: () => must('release one'),
    fail,
    undo() {
      if (!isOpen) return
      must('rollback to one')
      must('release one')
    },
    join: () => (isOpen ? new Promise((resolve, reject) => members.push({ resolve, reject })) : Promise.resolve()),
    commit() {
      if (!isOpen) return
      try {
        must('commit')
      } catch {
        // Its members have been notified.
        return
      }
      close((member) => member.resolve())
    },
  }
}
