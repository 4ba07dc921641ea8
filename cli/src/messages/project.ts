/** Texts of `project/`, by the file that shows them. Texts with values are functions. */

export const boundary = {
  leadsOutsideProjectWas: 'it leads outside of the project, and was not read.',
  notFile: 'it is not a file.',
  largerThanBytes: (maxSettingsBytes: number) => `it is larger than ${maxSettingsBytes} bytes.`,
}

export const configFile = {
  configNoSuchFile: (named: string) => `--config ${named}: no such file.`,
  notTakenFromSettings: (path: string, key: string, typedOnly: string) =>
    `${path}: "${key}" is not taken from a settings file, which travels with the source; type --${typedOnly} on the command line.`,
  didYouMean: (near: string) => ` Did you mean "${near}"?`,
  thereNoSetting: (path: string, key: string, word: string) => `${path}: there is no setting "${key}".${word}`,
  leadsOutsideProjectType: (file: string, key: string, word: string) =>
    `${file}: "${key}": ${word} leads outside of the project; type it on the command line.`,
  mustHoldOneObject: (path: string) => `${path}: it must hold one object.`,
  mustTrueFalse: (shown: string) => `${shown} must be true or false.`,
  mustListTexts: (shown: string) => `${shown} must be a list of texts.`,
  mustBeA: (shown: string, word: string) => `${shown} must be a ${word}.`,
  settingsAssayScanCommand: 'Settings of `assay scan`; command-line options override them.',
}

export const foundry = {
  notValidToml: (problem: string | undefined) => `it is not valid TOML: ${problem}`,
}

export const pythonTools = {
  notValid: (problem: string | undefined) => `it cannot be read: ${problem}`,
}

export const remappings = {
  remappingsNeitherPrefixTarget: (word: string) => `--remappings ${word}: neither prefix=target nor a file.`,
}
