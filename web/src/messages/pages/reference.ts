/** Texts of `pages/reference.tsx`. Texts with values are functions. */

export const reference = {
  referenceCouldNotLoaded: 'The reference could not be loaded.',
  loadingReference: 'Loading the reference',
  pageNotFound: 'Page not found',
  sameMachines: 'The same for machines:',
  openapiBegin: ', OpenAPI 3.1. Begin with',
  useMyApiKey: 'Use my API key in examples',
  noActiveApiKey: 'No active API key. Create one under Keys.',
}
