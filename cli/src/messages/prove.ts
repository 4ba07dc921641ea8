/** Texts of `prove/`, by the file that shows them. Texts with values are functions. */

export const loadProver = {
  proverNotInstalledFetches: (howToInstall: string) =>
    `The prover is not installed: ${howToInstall} fetches compilers and EVM once, about 120 MB.`,
  installCompilersNow: 'assay: the prover needs compilers and an EVM, about 120 MB from npm. Install them now? [Y/n] ',
  assayInstallingCompilersEvm: (folder: string) =>
    `assay: installing compilers and EVM of the prover, once, into ${folder}\n`,
  proverCouldNotInstalled: (command: string, message: string) =>
    `The prover could not be installed: ${command} could not be started: ${message}.`,
  proverCouldNotInstalledEnded: (command: string, code: number) =>
    `The prover could not be installed: ${command} ended with code ${code}; its reason stands above.`,
}

export const runProof = {
  proverRanOutTime: 'the prover ran out of time',
  proverEnded: 'the prover ended',
  proverFailed: (failure: string) => `the prover failed: ${failure}`,
  proverFailed2: (message: string) => `the prover failed: ${message}`,
}

export const writeExploits = {
  leadsOutsideProjectNothing: (shown: string) =>
    `${shown}: it leads outside of the project; nothing was written there.`,
}
