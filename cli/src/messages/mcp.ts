/** Texts of `mcp/`, by the file that shows them. Texts with values are functions. */

export const server = {
  filesFoldersBelowFolder: 'Files and folders below the folder the server was started in; default: all of it.',
  assayFindsVulnerabilitiesSolidity:
    'Assay finds vulnerabilities in Solidity source. Scan first, explain a finding by its detector id, inspect roles and entry points with show, get patches with fix, and compare before and after a change.',
  cutCharacters: (list: string, maxAnswerLength: number) => `${list}\n… cut at ${maxAnswerLength} characters`,
  onlyWhatLiesBelow: (word: string) =>
    `${word}: only what lies below the folder the server was started in can be read.`,
  scanSolidityVulnerabilities: 'Scan Solidity for vulnerabilities',
  scansFilesFoldersSource:
    'Scans files, folders or source text and returns findings by severity, with location, message, trace and fix. Tests, mocks and dependencies are excluded unless scope says otherwise.',
  onlyFindingsChangeAdded:
    'A commit, branch or tag: only findings that changes since then added or touched, uncommitted ones included.',
  scoreWholeScan: 'Of a whole scan; absent with changedSince.',
  whatComparisonFound: 'With changedSince: what was compared, and how many findings are new or touched.',
  newSince: (findings: number, ref: string, files: number) =>
    findings === 0
      ? `Nothing new since ${ref} in the ${files === 1 ? 'one file' : `${files} files`} compared. Findings that were there before are not listed; scan without changedSince for all findings and the score.`
      : `${findings} new or changed since ${ref} in the ${files === 1 ? 'one file' : `${files} files`} compared. Findings that were there before are not listed.`,
  solidityTextScanInstead: 'Solidity text to scan instead of files.',
  textNotValidSolidity: (line: number, reason: string) => `The text is not valid Solidity: line ${line}: ${reason}`,
  explainVulnerability: 'Explain a vulnerability',
  whatVulnerabilityHowExploited:
    'What a vulnerability is, how it is exploited and how to fix it, with vulnerable and fixed code. Takes a detector id, an SWC, CWE, OWASP or SCWE number, an id of Slither or Aderyn, or everyday words.',
  allDetectorsIdSwc: 'All detectors: id, SWC number (null: none), severity, title and aliases.',
  onlyThoseWordsFind: 'Words, an id or a number: only the detectors that match.',
  fixFindingsPatches: 'Fix findings by patches',
  unifiedDiffsFindingsSafe:
    'Patches for findings with a known safe fix, as unified diffs; writes nothing. Each patch is scanned again, and compiled where compilers are installed. unsafe adds patches that change who may call or whether a payment is mandatory.',
  compareTwoVersions: 'Compare two versions',
  scansTwoVersionsFile: 'Scans two versions of a file and lists new, unchanged and fixed findings.',
  showStructureContracts: 'Show the structure of contracts',
  rolesWhoMayCall:
    'roles: who may call what and what it writes; entry-points with external calls; inheritance; calls; storage slots.',
  verifyFindingsExecutingAttacks: 'Verify findings by executing attacks',
  scansCompilesDeploysLocal:
    'Scans, compiles, deploys to a local EVM, attacks, and reports for each finding whether the exploit was verified. A finding that was not reproduced can still be real.',
  whatEachDetectorReports: 'What each detector reports and why.',
  unifiedDiffsGitApply: 'Unified diffs, for `git apply`.',
  whetherEachPatchedCompiled: 'Whether each patched file was compiled before and after.',
  filesWhoseDiffLeft: 'Files whose diff is left out of this answer.',
  findingsSwcNumberAlone: 'Findings with an SWC number: these alone lower the score.',
  settingsProjectApplied: 'Settings of the project that were applied.',
  pathsLeadOutsideFolder: 'Paths that lead outside of the folder.',
  byPackageFolder: 'By package or folder.',
  findingsLeftOutAnswer: 'Findings left out of this answer.',
  outsideSwcListNot: 'Outside of the SWC list; does not lower the score.',
  thereNoDetector: (id: string) => `There is no detector ${id}.`,
}
