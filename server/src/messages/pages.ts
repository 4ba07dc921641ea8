/** Texts of the pages that work without the dashboard. */
export const unsubscribe = {
  title: 'Email preferences',
  kinds: {
    scanFindings: 'scans with critical or high findings',
    quotaUsage: 'the daily quota',
    keyExpiring: 'API keys about to expire',
    planChanged: 'plan changes',
    paymentFailed: 'failed payments',
    webhookDisabled: 'disabled webhooks',
    weeklyDigest: 'new and open findings of the week',
  } as Readonly<Record<string, string>>,
  turnOff: (about: string) => `Turn off emails about ${about}?`,
  turnOffButton: 'Turn off',
  turnedOff: (about: string) => `Emails about ${about} are turned off.`,
  manageAll: 'Manage all email preferences',
}

export const checkout = {
  title: 'Sandbox checkout',
  alreadyUsed: 'This checkout was already used or has expired.',
  nothingCharged: 'Nothing is charged. This page simulates a payment provider.',
  plan: 'Plan',
  price: 'Price',
  perMonth: (amount: string) => `${amount} per month`,
  proration: 'Proration',
  noProration: 'none: a full month starts now',
  due: 'Due now',
  pay: (amount: string) => `Pay ${amount}`,
  decline: 'Simulate a declined card',
  back: 'Back to your plan',
}

export const outbox = {
  title: 'Outbox',
  noSmtp: 'SMTP_URL is not set, so emails stay here. This page reloads every five seconds.',
  empty: 'No emails yet.',
  sent: (date: string, to: string) => `${date}, to ${to}`,
}

export const notBuilt = {
  title: 'Assay is running',
  build: (command: string) => `The dashboard is not built yet. Build it with ${command}.`,
  api: (link: string) => `API reference: ${link} (OpenAPI)`,
}

export const status = {
  title: 'Status',
  isUp: 'The service is answering.',
  availability: 'Availability: the share of minutes in which scans could be served',
  lastDay: 'Last 24 hours',
  last30Days: 'Last 30 days',
  last90Days: 'Last 90 days',
  notMeasured: 'not measured yet',
  measured: (since: string | null) =>
    `Measured ${since === null ? 'from now on' : `since ${since.slice(0, 10)}`}, every minute, by the service itself: a minute counts if a process could write to the database.`,
}

export const ownPages = {
  terms: 'Terms',
  privacy: 'Privacy',
  contact: 'Contact',
}
