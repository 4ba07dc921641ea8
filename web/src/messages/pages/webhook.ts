/** Texts of `pages/webhook.tsx`. Texts with values are functions. */

export const webhook = {
  sendTest: 'Send a test',
  endpointNotFound: 'Endpoint not found',
  newSigningSecretShown: 'New signing secret. Shown only once.',
  loadingDeliveries: 'Loading the deliveries',
  noDeliveriesYet: 'No deliveries yet.',
  sendTestEventScan: 'Send a test event or scan a contract.',
  deleteEndpoint: 'Delete this endpoint?',
  alsoDeletesSecretDelivery: 'Also deletes its secret and delivery log.',
}
