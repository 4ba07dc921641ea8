/** Texts of `pages/forgot-password.tsx`. Texts with values are functions. */

export const forgotPassword = {
  resetYourPassword: 'Reset your password',
  weLlEmailYou: "We'll email you a reset link. It expires in 1 hour.",
  sendResetLink: 'Send reset link',
  backLog: 'Back to log in',
}
