const NAME = 'invitation'

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/**
 * The token of the link that was mailed. It stands after the #, which no server sees, and is kept for this tab: anyone who must log in or sign
 * up first comes back without it in the address.
 */
export function takeInvitationToken(hash: string, kept: Kept): string {
  const linked = new URLSearchParams(hash.replace(/^#/, '')).get('token')?.trim()
  if (linked) kept.setItem(NAME, linked)
  return linked || (kept.getItem(NAME) ?? '')
}

export const forgetInvitationToken = (kept: Kept): void => kept.removeItem(NAME)

/** Where someone who has just signed up or logged in goes on: to the invitation that they came from, if there is one. */
export const pageAfterEntering = (kept: Kept): '/join' | '/home' => (kept.getItem(NAME) ? '/join' : '/home')
