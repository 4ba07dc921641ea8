/** Texts of `pages/scan-result.tsx`. Texts with values are functions. */

export const scanResult = {
  addFiles: 'Add the missing files',
  loadingScan: 'Loading the scan',
  notFound: 'Scan not found',
}
