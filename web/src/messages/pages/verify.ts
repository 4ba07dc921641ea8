/** Texts of `pages/verify.tsx`. Texts with values are functions. */

export const verify = {
  verifyYourEmail: 'Verify your email',
  weSentDigitCode: 'We sent a 6-digit code to ',
  expiresMinutes: '. It expires in 10 minutes.',
  weSentDigitCodeYour: 'We sent a 6-digit code to your email. It expires in 10 minutes.',
  sendNewCode: 'Send new code',
  digitsAlsoEmailSubject: '6 digits, also in the email subject.',
}
