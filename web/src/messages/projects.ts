/** Texts of `projects/`, by the file that shows them. Texts with values are functions. */

export const runFacts = {
  files: (count: number) => (count === 1 ? '1 file' : `${count} files`),
  readOnly: (count: number) => `${count} read only (dependencies, tests)`,
  partlyRead: 'partly read',
  engine: (version: string) => `engine ${version}`,
}

export const newSince = {
  label: 'New since',
  scanBefore: (ago: string) => `the scan before the last (${ago})`,
  scanOf: (ref: string, ago: string) => `${ref} (${ago})`,
  count: (count: number) => (count === 1 ? '1 new open finding' : `${count} new open findings`),
  compare: 'Compare',
}

export const badge = {
  title: 'Badge',
  about: 'Shows the score of the latest scan in a README. It reveals nothing else and works for a year.',
  create: 'Create badge',
  copyNow: 'Copy this now. You will not see it again.',
  markdown: 'Markdown of the badge',
  picture: 'The badge',
}

export const settings = {
  title: 'Settings',
  tags: 'Tags',
  tagsLabel: 'Tags of this project',
  tagsHint: 'Separated by commas, at most ten. Filter the list of projects by them.',
  saveTags: 'Save tags',
  noTags: 'None',
  scope: 'Scope and remappings',
  gate: 'Gate',
  gateCommand: 'The same in a pipeline without the service:',
  notifications: 'Notifications',
  webhooks: 'Webhooks (Slack, Teams, Discord)',
  emails: 'Emails',
  members: 'Members',
  membersWords: (name: string) => `Everyone in ${name} can open this project.`,
  manage: 'Manage members',
  onlyYou: 'Only you. Create an organization to share projects.',
  createOrganization: 'Create organization',
}

export const scopeForm = {
  exclude: 'Do not report',
  excludeHint: 'Folders or files, one per line. They are still read so that imports resolve.',
  remappings: 'Remappings',
  remappingsHint: 'As in remappings.txt, one per line. They go before those of the upload.',
  save: 'Save scope',
  saved: 'Saved. Applies to the next scan of several files.',
  none: 'As uploaded: remappings.txt and foundry.toml are read, dependencies and tests are not reported.',
}

export const gateMark = {
  passed: 'Gate passed',
  failed: 'Gate failed',
}

export const gateForm = {
  failOn: 'Fail a run on',
  off: 'Nothing (off)',
  severity: {
    critical: 'Critical findings',
    high: 'High findings and above',
    medium: 'Medium findings and above',
    low: 'Low findings and above',
    info: 'Any finding',
  },
  onlyNew: 'Only new findings',
  save: 'Save gate',
  offWords: 'Runs neither pass nor fail.',
  allWords: 'Every open finding counts. Dismissed findings, accepted risks and findings that need review do not.',
  onlyNewWords:
    'Counts findings first seen after the gate was set; on a branch, findings that are not open on the default branch.',
  since: (at: string) => `New since ${at}.`,
}

export const findingsChart = {
  label: (name: string) => `Findings of ${name} by scan and severity, and findings fixed`,
  scan: (at: string, found: string, fixed: number) => `${at}: ${found}; ${fixed} fixed so far`,
  outsideSwc: 'Outside the SWC list',
  fixedSoFar: 'Fixed so far',
  fixed: (count: number) => `${count} fixed so far`,
  nothingFound: 'no findings',
}
