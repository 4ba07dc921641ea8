/** Texts of `pages/compare.tsx`. Texts with values are functions. */

export const compare = {
  compareTwoScans: 'Compare two scans',
  notInSwc: 'not in SWC',
  needsReview: 'needs review',
  findingsMatchedFingerprintWhich:
    'Findings are matched by fingerprint, which is stable across edits elsewhere in the file.',
  selectScan: 'Select a scan',
  loadingScans: 'Loading the scans',
  selectTwoScansAbove: 'Select two scans above.',
  youNeedTwoScans: 'You need two scans to compare.',
  scanContract: 'Scan a contract',
  theseScansDifferentFiles: 'These are scans of different files, ',
  newFixedCountsMay: '. New and fixed counts may be unreliable.',
  viewLatestScan: 'View latest scan',
  noNewFindings: 'No new findings',
  noFixedFindings: 'No fixed findings',
  suppressedComment: (length: number) => `Suppressed by a comment (${length})`,
  noUnchangedFindings: 'No unchanged findings',
  loadingSources: 'Loading the sources',
  noSourceChanges: 'No source changes.',
  whatChanged: (path: string) => `What changed in ${path}`,
}
