/** Texts of `keys/`, by the file that shows them. Texts with values are functions. */

export const allowedOrigins = {
  title: 'Websites that may use your keys',
  label: 'Allowed origins',
  hint: 'Separated by commas, at most 20. Pages of these sites can call the API with one of your keys.',
  loading: 'Loading the allowed origins',
  save: 'Save origins',
}

export const choiceFields = {
  scansDay: 'Scans a day',
  leaveEmptyUsePlan: 'Leave empty to use the plan limit.',
  requestsHour: 'Requests an hour',
}

export const createKey = {
  eGGithubActions: 'E.g. "GitHub Actions"',
  testKeysExpireAfter: 'Test keys expire after 4 months, production keys after 13.',
  permissionsLimits: 'Permissions and limits',
  expiresAfterDays: 'Expires after (days)',
  upThreeYearsProduction: 'Up to three years for a production key, six months for a test key.',
}

export const readChoices = {
  changeFindingsWebhooksPlan: 'Change findings, webhooks and the plan',
  scansDay: (scansPerDay: number) => `${scansPerDay} scans a day`,
  requestsHour: (requestsPerHour: number) => `${requestsPerHour} requests an hour`,
}

export const rotateKey = {
  newKeySameName: 'A new key with the same name, scopes and limits replaces',
  worksImmediately: ' and works immediately.',
  oldKeyExpires: 'Old key expires in',
}
