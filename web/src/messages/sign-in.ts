/** Texts of `sign-in/` and its page. */

export const providers = {
  label: 'Sign-in providers',
  continueWith: (name: string) => `Continue with ${name}`,
}

export const page = {
  title: 'Signing in',
  wait: (name: string) => `Confirming with ${name}…`,
  failed: 'Sign-in failed',
  back: 'Back to log in',
  twoFactor: 'Two-factor authentication',
  enterCode: 'Enter your two-factor code.',
}
