/** Whether somebody was logged in when this browser last checked. A visitor of the open pages is not checked again and again. */
const kept = 'assay-account'

export const isAccountKnown = (): boolean => globalThis.localStorage?.getItem(kept) === 'known'

export function rememberAccount(isThere: boolean): void {
  if (isThere) localStorage.setItem(kept, 'known')
  else localStorage.removeItem(kept)
}
