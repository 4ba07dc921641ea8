/** Texts of `pages/webhooks.tsx`. Texts with values are functions. */

export const webhooks = {
  receiveSignedHttpCallbacks:
    'Receive signed HTTP callbacks or chat messages about scans and findings. Included in the pro plan.',
  loadingYourEndpoints: 'Loading your endpoints',
  seePlans: 'See the plans',
  webhooksNeedPro: 'Webhooks need the pro plan. Upgrade to add an endpoint.',
  webhooksPausedYourPlan: 'Webhooks are paused on your plan. They resume on the pro plan.',
  signingSecretShownOnly: 'Signing secret. Shown only once.',
  onlyOwners: 'Only owners add and change endpoints.',
  noEndpointsYet: 'No endpoints yet.',
  addOneAboveNothing: 'Add one above; nothing is sent until an event happens.',
  yourWebhookEndpoints: 'Your webhook endpoints',
  addEndpoint: 'Add an endpoint',
  mustHttpsReachableFrom:
    'Must be https and reachable from the internet. A Slack, Teams or Discord webhook receives a chat message.',
  httpsOrThisMachine:
    'Must be https and reachable from the internet, or http on this machine. A Slack, Teams or Discord webhook receives a chat message.',
  events: {
    'scan.completed': 'Scan completed',
    'scan.failed': 'Scan failed',
    'finding.new': 'New finding in a project',
    'gate.failed': 'Gate of a project failed',
    'quota.low': 'Daily quota almost used',
    'key.expiring': 'API key expires soon',
  },
  chooseEvent: 'Choose at least one event.',
}
