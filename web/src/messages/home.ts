/** Texts of `home/`, by the file that shows them. Texts with values are functions. */

export const keptResult = {
  savingResult: (name: string) => `Saving the result of ${name}`,
  inTheForm: ' in the form',
}

export const projectCard = {
  noChangeSinceLast: 'No change since last scan',
  sinceLastScan: (word: string, change: number) => `${word}${change} since last scan`,
  noOpenCriticalHigh: 'No open critical or high findings',
  newSinceLastScan: ' new since last scan',
}

export const projectChange = {
  scanYourFirstContract: 'Scan your first contract',
  createApiKey: 'Create an API key',
  addAssayCi: 'Add Assay to CI',
}
