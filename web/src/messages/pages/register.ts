/** Texts of `pages/register.tsx`. Texts with values are functions. */

export const register = {
  createYourAccount: 'Create your account',
  freeFiveScansDay: 'Free: five scans a day, seven days of history.',
  haveAccount: 'Have an account?',
  useLeastCharactersPassphrase: 'Use at least 8 characters. A passphrase works well.',
}
