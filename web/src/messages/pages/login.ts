/** Texts of `pages/login.tsx`. Texts with values are functions. */

export const login = {
  /** The words of the service, by which the page tells this refusal from others. */
  notVerifiedAnswer: 'Email address is not verified.',
  enterYourTwoFactor: 'Enter your two-factor code.',
  emailVerifiedLogContinue: 'Email verified. Log in to continue.',
  logPasskey: 'Log in with a passkey',
  forgotYourPassword: 'Forgot your password?',
}
