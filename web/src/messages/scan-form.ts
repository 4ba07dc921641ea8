/** Texts of `scan-form/`, by the file that shows them. Texts with values are functions. */

export const localResult = {
  scanningBrowser: 'Scanning in this browser',
  localScanNotSaved: 'Local scan: not saved, no quota used.',
}

export const projectFiles = {
  importsBetweenTheseFiles: (sent: number, all: number, bytes: string, tool?: string) =>
    `${tool ? `${tool} project: ` : ''}${sent === all ? all : `${sent} of ${all}`} ${all === 1 ? 'file' : 'files'}, ${bytes}. Imports between these files are resolved.`,
  whatIsSent: 'What is sent',
  roles: {
    product: (count: number) => `Contracts (${count})`,
    dependency: (count: number) => `Dependencies (${count}), read only`,
    test: (count: number) => `Tests, mocks and scripts (${count})`,
  },
}

export const readDropped = {
  unsupportedFileTypeUpload: 'Unsupported file type. Upload .sol files or a .zip.',
  noSolidityFilesFound: 'No Solidity files found.',
  uploadOneArchiveTime: 'Upload one archive at a time.',
}

export const refusalWords = {
  nothingScanYet: 'Nothing to scan yet.',
  fileTooLargePlan: (bytes: string, plan: string, bytes2: string) =>
    `File too large (${bytes}). The ${plan} plan allows ${bytes2}. Leave out lib/ and test/, or upgrade.`,
  contractTooLargePlan: (plan: string, bytes: string) =>
    `Contract too large. The ${plan} plan allows ${bytes} per contract.`,
  fileTooLargePlanAllows: (plan: string, bytes: string) => `File too large. The ${plan} plan allows ${bytes}.`,
  hourlyRequestLimitPlan: (plan: string, inMinutes: string) =>
    `Hourly request limit of the ${plan} plan reached. Try again ${inMinutes}.`,
  dailyLimitReachedScans: (scansPerDay: number, plan: string, time: string) =>
    `Daily limit reached (${scansPerDay} of ${scansPerDay} scans on the ${plan} plan). Resets at ${time}.`,
  inAMinute: 'in a minute',
}

export const sourceInput = {
  scansOneSolFile: 'Scans one .sol file at a time. Sign up to scan whole projects.',
  chooseSolidityFile: 'Choose a Solidity file',
  orAZip: ' or a zip',
  chooseFile: 'Choose a file',
  chooseFolder: 'Choose a folder',
  chooseFolder2: 'Choose a folder',
  tooLongEditHere: ', too long to edit here.',
  pasteSolidityContractDrop: 'Paste a Solidity contract,\nor drop .sol files, a folder or a zip here',
  pasteSolidityContractDropSol: 'Paste a Solidity contract,\nor drop a .sol file here',
}

export const limitActions = {
  scanLocallyBrowser: 'Scan locally in the browser',
}

export const elsewhere = {
  scanFrom: 'Scan from',
  code: 'Code',
  address: 'Address',
  repository: 'Repository',
  batch: 'Batch',
  addressLabel: 'Contract address',
  addressHint: 'A contract with verified source. Proxies are followed to their implementation.',
  chain: 'Chain',
  repositoryLabel: 'Repository',
  repositoryHint: 'owner/name or the https address of a public repository.',
  path: 'Folder or file (optional)',
  ref: 'Branch, tag or commit (optional)',
  batchHint: 'Each file is a scan of its own. Choose many .sol files or an archive.',
  batchFiles: 'Choose files for the batch',
  ready: (count: number) => `${count} ${count === 1 ? 'scan' : 'scans'} ready`,
}
