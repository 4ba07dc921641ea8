/** Texts of `pages/keys.tsx`. Texts with values are functions. */

export const keys = {
  keyAuthenticatesScansFrom: 'A key authenticates scans from your scripts and pipelines.',
  saveKeyNowStore: 'Save this key now. Store it as a secret.',
  whichWorksUntil: '), which works until ',
  loadingYourKeys: 'Loading your keys',
  noKeysYet: 'No keys yet.',
  createOneAbove: 'Create one above.',
  yourApiKeys: 'Your API keys',
  requestsKeyWillRejected: 'Requests with this key will be rejected. This cannot be undone.',
  keepingKeysSafe: 'Keeping keys safe',
  keepThemOutSource: "Keep them out of source code: use your platform's secret store or an environment variable.",
  useOneKeyPer: 'Use one key per environment, so that one can be revoked without touching the others.',
  rotateKeyBeforeExpires: 'Rotate a key before it expires: the new one works immediately, the old one for another day.',
  watchLastUsedResponses: 'Watch “last used” and 429 responses; retry with exponential backoff.',
}
