/** Texts of `scan/`, by the file that shows them. Texts with values are functions. */

export const findDetectors = {
  didYouMean: (near: string) => ` Did you mean ${near}?`,
  thereNoSuchDetector: (word: string) => `there is no such detector.${word} \`assay detectors\` lists them.`,
}

export const runProgram = {
  wentIntoScanDid: (path: string) => `${path} went into the scan and did not come out`,
}

export const scanPrograms = {
  scanTimedOutAfter: (value: number) => `The scan timed out after ${value} s.`,
  scanRanOutMemory: (maxHeapMegabytes: number) => `The scan ran out of memory (${maxHeapMegabytes} MB).`,
  scanFailed: (message: string) => `The scan failed: ${message}`,
}

export const scanProject = {
  wentIntoScanDid: (path: string) => `${path} went into the scan and did not come out`,
  fileNotValidSolidity: (line: number, reason: string) => `The file is not valid Solidity: line ${line}: ${reason}`,
}

export const watch = {
  watchNeedsFilesFolders: '--watch needs files or folders, not standard input.',
  assayWatchingChangesPress: 'assay: watching for changes; press Ctrl-C to stop\n',
}
