/** Texts of files at the top, by the file that shows them. Texts with values are functions. */

export const explainDetectors = {
  alsoKnownAs: (list: string) => `Also known as ${list}`,
  howAttacked: 'How it is attacked',
  howFix: 'How to fix it',
  staysSilentWhen: 'Stays silent when',
}

export const explainPlace = {
  noNodes: (place: string) => `Nothing begins at ${place}.\n`,
  whySayWhichLine: (place: string) => `--why ${place}: say which line, as in Vault.sol:42.`,
  leadsOutsideProjectWas: (path: string) => `${path}: it leads outside of the project and was not read.`,
  whyFileHasLines: (place: string, lines: number) => `--why ${place}: the file has ${lines} lines.`,
  suppressedComment: 'Suppressed by a comment',
  nothingCandidateTheseDetectors: (place: string, value: string) =>
    `Nothing on ${place} is a candidate for ${value} of these detectors.\n`,
}

export const help = {
  assayFindsVulnerabilitiesSolidity: 'assay finds vulnerabilities in Solidity 0.4 to 0.8.',
  showHelpCommand: (value: string) => `  ${value}Show help for a command.`,
}

export const main = {
  assayInternalErrorPlease: (stack: string | undefined) => `assay: internal error, please report it.\n${stack}\n`,
}

export const parseOptions = {
  takesNoValue: (rawName: string) => `${rawName} takes no value.`,
  needsValue: (rawName: string, value: string) => `${rawName} needs a value: ${rawName} <${value}>.`,
  mustOne: (shown: string, list: string, value: string) => `${shown} must be one of ${list}; it is "${value}".`,
  mustWholeNumber: (shown: string, value: string) => `${shown} must be a whole number; it is "${value}".`,
  didYouMean: (near: string) => ` Did you mean ${near}?`,
  thereNoOptionAssay: (flag: string, word: string) => `There is no option ${flag}.${word} \`assay help\` lists them.`,
}

export const runCli = {
  didYouMean: (near: string) => ` Did you mean ${near}?`,
  scanAssayScan: (name: string) => ` To scan it: assay scan ${name}`,
  thereNoCommandAssay: (name: string, hint: string) =>
    `There is no command "${name}".${hint} \`assay help\` lists the commands.`,
}
