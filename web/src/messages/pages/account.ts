/** Texts of `pages/account.tsx`. Texts with values are functions. */

export const account = {
  noSharedLinksUse: 'No shared links. Use Share on a scan result.',
  scanFoundCriticalHigh: 'A scan found critical or high vulnerabilities',
  dailyQuota: '80% and 100% of the daily quota',
  keyAboutExpire: 'A key is about to expire',
  planChanged: 'The plan changed',
  paymentFailed: 'A payment failed',
  webhookWasDisabled: 'A webhook was disabled',
  weeklyDigest: 'Weekly digest: new findings, oldest open critical and high, projects not scanned',
  securityEmailsAlwaysSent: 'Security emails are always sent. Notifications on the basic plan and above:',
  loadingYourPreferences: 'Loading your preferences',
  loadingLog: 'Loading the log',
  noEventsYet: 'No events yet.',
}
