/** Texts of `landing/main.ts`, which every visitor of the first page loads: no others. */

export const main = {
  scanContract: 'Scan a contract',
  scannerCouldNotLoaded: 'The scanner could not be loaded. Check the connection and try again.',
  switchTheme: (word: string) => `Switch to ${word} theme`,
}
