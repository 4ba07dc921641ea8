/** Texts of `history/`, by the file that shows them. Texts with values are functions. */

export const scanRow = {
  selectScanComparison: (fileName: string, createdAt: string) =>
    `Select the scan of ${fileName} at ${createdAt} for comparison`,
  moreScan: (fileName: string) => `More for the scan of ${fileName}`,
  score: (rating: string) => ` · ${rating} score`,
  apiKey: ' · with an API key',
}
