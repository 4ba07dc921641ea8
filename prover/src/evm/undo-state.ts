/**
 * The package's state manager copies all accounts and all of storage at every call, which makes a list that grows call by call
 * cost the square of its length. This one writes down what each call replaced, and puts it back when the call fails. An account is changed in
 * place by any reader of it, so it is recorded when it is read. Code is rarely written, and stays copied.
 */
import type { EvmPackages, RawAccount, RawAddress, RawState } from '../packages.ts'

/** A state manager whose accounts and storage can be replaced as a whole, between transactions. */
export interface UndoState extends RawState {
  replace(accounts: Map<string, RawAccount | undefined>, storage: Map<string, Uint8Array>): void
}

/** What stood in a map before a call. */
type Replaced<T> = Map<string, T | undefined>

interface Checkpoint {
  readonly accounts: Replaced<RawAccount>
  readonly storage: Replaced<Uint8Array>
}

export const createUndoState = (packages: EvmPackages, common: object): UndoState => {
  class State extends packages.SimpleStateManager {
    // Declared only: the package's constructor sets a first checkpoint before fields of this class would exist.
    declare checkpoints: Checkpoint[]

    override checkpointSync(): void {
      if (this.checkpoints) this.checkpoints.push({ accounts: new Map(), storage: new Map() })
      else {
        this.checkpoints = []
        this.accountStack.push(new Map())
        this.storageStack.push(new Map())
      }
      this.codeStack.push(new Map(this.codeStack.at(-1)))
    }

    get #accounts(): Map<string, RawAccount | undefined> {
      return this.accountStack[0] as Map<string, RawAccount | undefined>
    }

    get #storage(): Map<string, Uint8Array> {
      return this.storageStack[0] as Map<string, Uint8Array>
    }

    override async getAccount(address: RawAddress): Promise<RawAccount | undefined> {
      const key = address.toString()
      this.#keepAccount(key)
      return this.#accounts.get(key)
    }

    override async putAccount(address: RawAddress, account: RawAccount): Promise<void> {
      const key = address.toString()
      this.#keepAccount(key)
      this.#accounts.set(key, account)
    }

    override async deleteAccount(address: RawAddress): Promise<void> {
      const key = address.toString()
      this.#keepAccount(key)
      this.#accounts.set(key, undefined)
    }

    #keepAccount(key: string): void {
      const kept = this.checkpoints.at(-1)?.accounts
      if (kept && !kept.has(key)) kept.set(key, copyAccount(this.#accounts.get(key)))
    }

    override async putStorage(address: RawAddress, key: Uint8Array, value: Uint8Array): Promise<void> {
      this.#putSlot(`${address.toString()}_0x${Buffer.from(key).toString('hex')}`, value)
    }

    override async clearStorage(address: RawAddress): Promise<void> {
      const prefix = `${address.toString()}_`
      for (const key of [...this.#storage.keys()]) if (key.startsWith(prefix)) this.#putSlot(key, undefined)
    }

    #putSlot(key: string, value: Uint8Array | undefined): void {
      const kept = this.checkpoints.at(-1)?.storage
      if (kept && !kept.has(key)) kept.set(key, this.#storage.get(key))
      put(this.#storage, key, value)
    }

    override async commit(): Promise<void> {
      this.codeStack.splice(-2, 1)
      const done = this.checkpoints.pop()
      const below = this.checkpoints.at(-1)
      if (!done || !below) return
      keepOlder(below.accounts, done.accounts)
      keepOlder(below.storage, done.storage)
    }

    override async revert(): Promise<void> {
      this.codeStack.pop()
      const failed = this.checkpoints.pop()
      for (const [key, account] of failed?.accounts ?? []) put(this.#accounts, key, account)
      for (const [key, value] of failed?.storage ?? []) put(this.#storage, key, value)
    }

    replace(accounts: Map<string, RawAccount | undefined>, storage: Map<string, Uint8Array>): void {
      this.accountStack = [accounts]
      this.storageStack = [storage]
      this.checkpoints = []
    }
  }
  return new State({ common })
}

const put = <T>(map: Map<string, T>, key: string, value: T | undefined): void => {
  if (value === undefined) map.delete(key)
  else map.set(key, value)
}

/** What both calls replaced stood there before the outer one. */
const keepOlder = <T>(outer: Replaced<T>, inner: Replaced<T>): void => {
  for (const [key, value] of inner) if (!outer.has(key)) outer.set(key, value)
}

const copyAccount = (account: RawAccount | undefined): RawAccount | undefined =>
  account && Object.assign(Object.create(Object.getPrototypeOf(account)), account)

export const copyAccounts = (
  accounts: ReadonlyMap<string, RawAccount | undefined> = new Map(),
): Map<string, RawAccount | undefined> => new Map([...accounts].map(([key, account]) => [key, copyAccount(account)]))
