/** Texts of `rules/`, by the file that shows them. Texts with values are functions. */

export const checkFixture = {
  notWhatKeepsLine: (path: string, value: number, excuse: string) =>
    `${path}:${value}: ${excuse} is not what keeps this line silent`,
  markedNotReported: 'is marked and not reported',
  reportedNotMarked: 'is reported and not marked',
}

export const loadRules = {
  folderNameFiles: 'This is a folder. Name the files of the rules, .yaml or .mjs',
  writtenVersionApiVersion: (apiVersion: string, version: number) =>
    `it is written for version ${apiVersion} of the API, and this is version ${version}`,
  defaultExportMustDetector: 'its default export must be a detector, a list of them, or a function that makes them',
  detectorLacks: (missing: string) => `a detector lacks its ${missing}`,
  idNotKebabCase: (id: string | undefined) => `the id "${id}" is not in kebab-case`,
  thereDetectorAlready: (id: string | undefined) => `there is a detector "${id}" already`,
  severityMustOne: (id: string | undefined, list: string) => `the severity of ${id} must be one of ${list}`,
  needsClaimCandidatesCandidatesinmodel: (id: string | undefined) =>
    `${id} needs a claim (candidates or candidatesInModel) and a finding`,
}

export const readYamlRules = {
  tooLarge: (maxBytes: number) => `it is larger than ${maxBytes} bytes`,
  tooMany: (maxRules: number) => `it has more than ${maxRules} rules`,
  needsRules: 'it needs a list of rules under the key "rules"',
  atLine: (line: number, problem: string) => `line ${line}: ${problem}`,
}

export const ruleFailure = {
  ruleFailed: (id: string, message: string, at: string) =>
    `The rule ${id} failed${at}: ${message}. Its findings may be incomplete.`,
  at: (frames: string) => ` at ${frames}`,
}
