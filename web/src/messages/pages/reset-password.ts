/** Texts of `pages/reset-password.tsx`. Texts with values are functions. */

export const resetPassword = {
  chooseNewPassword: 'Choose a new password',
  apiKeysRevoked: ' and its API keys are revoked',
  everySessionAccountEnds: (word: string) => `Every session of the account ends${word}; log in again afterwards.`,
  tokenFromEmail: 'Token from the email',
}
