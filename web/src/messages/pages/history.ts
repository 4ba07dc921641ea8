/** Texts of `pages/history.tsx`. Texts with values are functions. */

export const history = {
  scoreOf: (name: string, scans: number) => `Score of ${name}, last ${scans} scans`,
  selectTwoScansCompare: 'Select two scans to compare.',
  loadingYourScans: 'Loading your scans',
  showOlderScans: 'Show older scans',
  deleteScan: 'Delete this scan?',
  permanentlyDeletesResultSource: 'Permanently deletes the result, the source and its reports.',
  searchFileName: 'Search by file name',
  fromBrowser: 'From the browser',
  apiKey: 'With an API key',
  noScansMatch: 'No scans match.',
  removeFiltersSearchTerms: 'Remove filters or search terms.',
  noScansYet: 'No scans yet.',
  scanContract: 'Scan a contract',
}
