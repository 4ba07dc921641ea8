/** Texts of `playground/`, by the file that shows them. Texts with values are functions. */

export const liveScanner = {
  scannerCouldNotStarted: 'The scanner could not be started in this browser.',
}

export const scanInBrowser = {
  scanTookTooLong: 'The scan took too long in this browser. Upload the file to scan it on the server.',
  scannerCouldNotStarted: 'The scanner could not be started in this browser.',
}

export const worker = {
  fileNotValidSolidity: (line: number, reason: string) => `The file is not valid Solidity: line ${line}: ${reason}`,
  noneFilesValidSolidity: 'None of the files is valid Solidity.',
}
