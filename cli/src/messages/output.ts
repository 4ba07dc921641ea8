/** Texts of `output/`, by the file that shows them. Texts with values are functions. */

export const details = {
  outsideSwcList: 'outside the SWC list',
  tooLargeFollowEnd: (placeWass: string, list: string) =>
    `${placeWass} too large to follow to the end, in ${list}; --details lists them`,
  couldNotRead: (shown: string, line: number, message: string) => `${shown}:${line}: could not be read: ${message}`,
  moreNotesDetails: (value: number) => `… and ${value} more notes: --details`,
}

export const githubSummary = {
  scoreWhatWasAnalyzed: (score: number) => `score ${score}/100 for what was analyzed`,
  nothingReport: 'Nothing to report.',
  allByDetector: 'All findings by detector',
}

export const progress = {
  about: (seconds: number) => `, about ${seconds} s left`,
  stages: { reading: 'reading', parsing: 'parsing', analyzing: 'analyzing' } as const,
}

export const render = {
  securityReport: (project: string) => `Security report: ${project}`,
}

export const scanNotes = {
  leftOutOptionsSettings: (findingWass: string) => `${findingWass} left out by options or settings`,
  outsideProjectNotRead: (path: string) => `${path}: outside of the project, not read`,
}

export const summary = {
  vendoredFile: 'vendored library file',
  leftOut: (files: string) => `${files} left out`,
  noFindingsWhatWas: 'no findings in what was analyzed',
  housekeeping: (titles: readonly string[], others: number) =>
    `housekeeping: ${titles.join(', ')}${others > 0 ? ` and ${others} more` : ''}`,
  scoreWhatWasAnalyzed: (score: number) => `score ${score}/100 for what was analyzed`,
  moreKind: (others: number) => ` and ${others} more of this kind`,
  mostSevereOneEach: (length: number) => `The ${length} most severe, one of each kind`,
  installCommands: {
    Foundry: '`forge install` (or `forge soldeer install`)',
    Hardhat: '`npm install`',
    Truffle: '`npm install`',
    Brownie: '`brownie pm install`, with --remappings to its packages',
    Ape: '`ape pm install`, with --remappings to its packages',
    Remix: '`npm install`',
  },
  remappingsInstallThem: '--remappings, or install them',
  notFoundSoSome: (shown: string, rest: string, remedy: string) =>
    `Imports not found: ${shown}${rest}. Some findings have lower confidence. Fix: ${remedy}.`,
  notReadOutsideProject: (shown: string, rest: string) =>
    `Not read, outside of the project: ${shown}${rest}; --root names a wider one.`,
  moreNotScanned: (value: number) => `  … and ${value} more not scanned`,
  scopeProjectShowsThem: '; --scope project shows them',
}

export const reportProject = {
  assayOutsideProjectNot: (path: string) => `assay: ${path}: outside of the project, not read\n`,
}

export const text = {
  leftOutOptionsSettings: (findings: string) => `${findings} left out by options or settings`,
  asRememberedFromEarlier: (rememberedCount: number, files: string) =>
    `, ${rememberedCount} of ${files} as remembered from an earlier scan`,
  codeTracesAllDetails: (findings: string) => `code and traces of all ${findings}: --details`,
  moreAboutFindingAssay: (value: string) => `more about a finding: assay explain ${value}`,
  fixedSinceBaseline: (fixed: number) => `${fixed} fixed since the baseline.`,
}

export const writeFile = {
  linkNothingWrittenThrough: (shown: string) => `${shown}: it is a link, and nothing is written through a link.`,
  leadsOutsideProjectNothing: (shown: string, folder: string) =>
    `${shown}: it leads outside of the project, to ${folder}; nothing was written there.`,
}
