/** Texts of `account/`, by the file that shows them. Texts with values are functions. */

export const deviceWords = {
  unknownBrowser: 'An unknown browser',
}

export const profile = {
  codeWasSent: 'A code was sent to ',
  codeFromEmail: 'Code from the email',
  noEmailTryAgain: 'No email? Try again or use another address',
  emailChanged: (email: string) => `Email changed to ${email}.`,
  newEmailAddress: 'New email address',
  confirmYourPassword: 'Confirm with your password',
  leastCharacters: 'At least 8 characters.',
  noPassword: 'Forgotten, or signed up with a provider? Set one by email',
}

export const sessions = {
  loadingYourSessions: 'Loading your sessions',
  logOutSessionLogged: (deviceWords: string, ago: string) => `Log out the session of ${deviceWords}, logged in ${ago}`,
  logOutEverywhere: 'Log out everywhere',
  logOutEverywhere2: 'Log out everywhere?',
  logOutEverywhere3: 'Log out everywhere',
  logsOutEveryBrowser: 'Logs out every browser, including this one. API keys keep working.',
}

export const yourData = {
  exportAllData: 'Export all data',
  exportAllData2: 'Export all data',
  oneFileYourAccount:
    'One file: your account, sessions, keys and webhooks without their secrets, the security log, findings, and every scan with its result and source. One JSON document a line.',
  paidPlanEndsImmediately:
    'A paid plan ends immediately and API keys stop working. Scans, findings, links and webhooks are deleted permanently.',
  typeConfirm: (email: string) => `Type ${email} to confirm`,
}
