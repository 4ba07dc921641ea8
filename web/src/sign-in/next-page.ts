import { isOwnPath } from './own-path.ts'

const KEY = 'assay-sign-in-next'

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** Where to go on after the way over the provider; kept in this tab alone. */
export function keepNext(next: string | undefined, store: Store): void {
  if (isOwnPath(next)) store.setItem(KEY, next)
  else store.removeItem(KEY)
}

/** Once. */
export function takeNext(store: Store): string {
  const next = store.getItem(KEY)
  store.removeItem(KEY)
  return isOwnPath(next) ? next : '/home'
}
