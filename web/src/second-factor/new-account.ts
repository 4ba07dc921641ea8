/** Of an account that was just created: held by this page alone until its address is verified, so that nobody types the password twice. */
let created: { readonly email: string; readonly password: string } | undefined

export function rememberPassword(account: { readonly email: string; readonly password: string }): void {
  created = account
}

/** The password of this new account, once. */
export function takePassword(email: string): string | undefined {
  const password = created?.email === email ? created.password : undefined
  created = undefined
  return password
}
