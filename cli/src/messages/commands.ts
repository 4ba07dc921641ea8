/** Texts of `commands/`, by the file that shows them. Texts with values are functions. */

export const detectors = {
  listAllDetectors: 'List all detectors.',
  detectorsWithoutSwcNumber:
    'Detectors without an SWC number report advisories, which do not lower the score. Find one by another name with `assay explain <words>`.',
  tableJson: 'Table or JSON.',
  colorsTextOutput: 'Colors in text output.',
  oneLinePerDetector: 'One line per detector.',
}

export const diffStorage = {
  compareStorageLayoutTwo: 'Compare the storage layout of two contract versions before an upgrade.',
  twoFilesTwoCommits:
    'Compares two files, two commits of git (a tag, a branch, a hash), or one commit with the files on disk. Of commits it compares every contract that looks upgradeable: it has an initializer, a storage gap, an ERC-7201 namespace or UUPS.',
  variablesMoveChangeType:
    'Variables that move, change type, disappear or overlap others are problems. New variables at the end, and gaps that shrink by as much as was added, are not.',
  baseContractNotFound: 'A base contract that is not found makes every slot unknown: install the dependencies first.',
  exitCodeCompatibleIncompatible:
    'Exit code 0: compatible. 1: incompatible. 2: could not be compared, or slots are unknown.',
  contractNameBothFiles: 'Contract name on both sides; default: all contracts on both.',
  contractNameNewFile: 'Contract name on the new side, if different.',
  alsoContractsNotLook: 'With commits: all contracts, also those that do not look upgradeable.',
  nameTwoFilesCommits: 'Name two files or two commits, or one commit: assay diff-storage <old> [<new>].',
  assayNoUpgradeableContract: 'assay: no contract that looks upgradeable is in both; --all compares the others too\n',
  assayDependenciesDiffer: (dependencies: string, contracts: string) =>
    `assay: ${dependencies} differs between the two and was read as it is on disk: slots of ${contracts} may be wrong; compare two checkouts with their dependencies installed\n`,
  assayDiffStorageHead: 'assay diff-storage HEAD',
  whatUncommittedChangesMove: 'What uncommitted changes do to the storage.',
  writeChangesAsJson: 'Write the changes as JSON.',
  assayDiffStorageVault: 'assay diff-storage Vault.sol VaultV2.sol --contract Vault --new-contract VaultV2',
  beforeUpgrade: 'Before an upgrade.',
  assaySlotsUnknownNot: (path: string, name: string, list: string) =>
    `assay: ${path}: slots of ${name} are unknown: ${list} not found; install the dependencies\n`,
  couldNotRead: (path: string) => `${path} could not be read.`,
  noContractNameBoth: (list: string, list2: string) =>
    `No contract of that name on both sides (old: ${list}; new: ${list2}); --contract and --new-contract name them.`,
}

export const explain = {
  explainVulnerabilityHowFix: 'Explain a vulnerability and how to fix it.',
  takesIdScanPrints:
    'Takes the id that a scan prints, a number (`SWC-107`, `CWE-841`, `SC05:2025`), a Slither or Aderyn id, or everyday words in quotes (`"first depositor"`).',
  whyScansOneFile:
    'With --why it scans one file and shows what is reported on one line, and which candidates were dismissed for which reason.',
  showWhyLineReported: 'Show why a line is reported or not.',
  showTreeLine: 'Show the syntax tree of a line, for those who write rules.',
  treeOfLine: 'The nodes of line 5, by the names that a rule uses.',
  colorsTextOutput: 'Colors in text output.',
  assayExplainReentrancy: 'assay explain reentrancy',
  assayExplainSwc: 'assay explain SWC-107',
  numberSeveralDetectorsMay: 'By number; several detectors may share one.',
  assayExplainFirstDepositor: 'assay explain "first depositor"',
  everydayWordsIdSlither: 'By everyday words, or by an id of Slither or Aderyn.',
  assayExplainWhyVault: 'assay explain --why Vault.sol:42',
  whyLineReportedWhy: 'Why line 42 is reported, or why it is not.',
}

export const fix = {
  fixFindingsHaveSafe: 'Fix findings that have a safe automatic fix; shows the diff, and writes it with --write.',
  filesFolders: '[files or folders…]',
  pinsPragmasWritesVisibilities:
    'Pins pragmas, writes visibilities down, replaces deprecated names, checks the result of calls to msg.sender, and updates state before a call where nothing flows from the call into it. With --unsafe also what changes who may do something or what must succeed: msg.sender instead of tx.origin, a misnamed constructor, the result of other calls. A payment to another account is never made mandatory.',
  pragmasPinnedOneVersion:
    'Pragmas are pinned to one version for the whole project: --solc, else that of the settings of the project (the newest of several that all files admit), else 0.8.28 or the newest release that all files and imports admit. Where there is none, no pragma is pinned.',
  allPatchesTriedOnce:
    'All patches are tried at once and the result is scanned again; a patch is kept when its finding is gone, no other has come and the text still parses. Where the compilers of the prover are installed (assay prove --install) the result is also compiled. Test before you commit.',
  exitCodeNothingFix:
    'Exit code 0: nothing to fix, or all of it written. 1: there are patches that were not written. 2: something could not be read or written.',
  writePatchesIntoFiles: 'Write the patches into the files.',
  fixOnlyFindingsThese: 'Fix only findings of these detectors.',
  skipFindingsTheseDetectors: 'Skip findings of these detectors.',
  alsoPatchesChangeWho: 'Also patches that change who may do something, or what must succeed; read them.',
  compilerVersionPinPragmas: 'The compiler version to pin pragmas to; default: the one of the project.',
  showWhatWouldChanged: 'Show what would be changed.',
  assayFixWriteOnly: 'assay fix --write --only floating-pragma --solc 0.8.28',
  pinEveryPragmaOne: 'Pin every pragma to one version.',
  unifiedDiffEverythingRead: 'A unified diff of everything, to read before `git apply`.',
  assayNotTriedRun: (patchs: string) => `assay: ${patchs} not tried; run it again\n`,
  writtenTestBeforeYou: ' written; test before you commit',
  notCompiledBefore: ', not compiled (the files did not compile before either)',
  notCompiledAssayProve: ', not compiled (assay prove --install fetches compilers)',
  noVersionAdmittedAll: 'no version is admitted by all files',
  settingsNameNoVersion: 'the settings do not name one compiler version in plain text; pass it with --solc',
  notAllFilesAdmit: (wanted: string) => `not all files admit ${wanted}`,
  assayNoPragmaPinned: (why: string) => `assay: no pragma is pinned: ${why}\n`,
}

export const hunt = {
  searchExploitsWithoutFindings: 'Search for exploits without a finding, by calling every contract in a local EVM.',
  filesFolders: '[files or folders…]',
  deploysEveryContract:
    'Deploys every contract of the project in a local EVM, lets two depositors use it, and then searches for calls of an outsider that do harm. Reported is only what was executed, as the shortest sequence that still does harm, with a control run.',
  whatCountsAsHarm:
    'Harm is one of these: the attacker gains, an honest account or a contract loses, a depositor cannot withdraw, a role changes hands, an initializer runs twice, code of the attacker runs by delegatecall, tokens are minted for nothing, or a donation blocks a call.',
  silenceIsNoProof:
    'No report does not mean that there is no exploit. The search is the same for the same files, seed and time.',
  exitCodeNothingFound:
    'Exit code 0: nothing was found. 1: at least one exploit was executed. 2: something could not be read, no contract could be searched, or the prover is not installed.',
  cpuTimeOfSearch: 'CPU time of the whole search, shared by all contracts.',
  seedBlockHashesRandao: 'Seed for block hashes and randao.',
  stepsAsTextOrJson: 'Output format: the steps of each exploit as text, or everything as JSON.',
  writeFoundryTestEvery:
    'Write a Foundry test for every executed exploit to this folder; it imports your source and fails once that is fixed.',
  filePrefixTarget: 'file or prefix=target',
  importRemappings: 'Import remappings; they override those of the project.',
  assayHuntSeconds: 'assay hunt --seconds 20',
  searchWholeProject: 'Search the project in this folder.',
  assayHuntWriteTests: 'assay hunt contracts --seconds 20 --write-tests test',
  alsoWriteTests: 'Also write each exploit as a Foundry test.',
  exploitsInContracts: (exploits: string, contracts: string, calls: number) =>
    `${exploits} executed in ${contracts}, ${calls} calls.`,
  notSearched: (contracts: string) => `${contracts} not searched:`,
  nothingToSearch: 'There is no contract to search.',
  titles: {
    'attacker-gains': 'Funds stolen',
    'attacker-code-runs': 'Attacker code executed by delegatecall',
    'honest-account-loses': 'User funds lost',
    'contract-loses': 'Contract funds drained',
    'secret-read': 'Secret readable in storage',
    'lock-bypassed': 'Transfer lock bypassed',
    'answer-changed': 'Inconsistent external answer',
    'call-smuggled': 'Call smuggled past calldata checks',
    'argument-out-of-range': 'Calldata value out of range',
    'token-diluted': 'Unbacked tokens minted',
    'role-taken': 'Ownership taken over',
    'initialized-twice': 'Initializer ran twice',
    'withdrawal-blocked': 'Withdrawals blocked',
    'call-blocked-by-donation': 'Denial of service by donation',
  },
}

export const lsp = {
  startLanguageServerLsp: 'Start the language server (LSP) for editors.',
  showsFindingsWhileYou:
    'Shows findings while you type, with the trace as related locations, the detector page on hover, quick fixes, and a comment to suppress a finding.',
  acceptedClientsAlwaysSend: 'Accepted for clients that always send it.',
  startedEditorNotHand: 'Started by the editor, not by hand.',
}

export const mcp = {
  startMcpServerModel: 'Start the MCP server (Model Context Protocol) for AI agents.',
  readsFilesBelowFolder:
    'Reads files below the folder it is started in and writes nothing. Tools: scan, explain, list_detectors, compare, show, prove. Resources: the detector pages.',
  clientCommandAssayArguments: 'In a client: command `assay`, arguments `["mcp"]`, working folder your project.',
  startedAgentNotHand: 'Started by the agent, not by hand.',
}

export const newRule = {
  writeNewRule: 'Write the files of a new rule: the rule, and a Solidity file with marks that tests it.',
  filesWritten:
    'Writes <folder>/<name>/ with a rule in YAML, which needs no code, or with --code in JavaScript, and fixtures/Example.sol. The rule passes its test as it is: change the marks first, then the rule.',
  exitCode: 'Exit code 0: written. 2: there is such a folder already, or it cannot be written.',
  asModule: 'In JavaScript, with the API of the detectors, instead of YAML.',
  whereRulesAre: 'The folder of your rules.',
  ruleWithoutCode: 'A rule in YAML: patterns with metavariables.',
  ruleInJavascript: 'A rule in JavaScript, with types of the package.',
  nameRule: 'Name the rule: assay new-rule <name>.',
  notKebabCase: (name: string) => `The name "${name}" must be in kebab-case, as no-origin is.`,
  outside: (folder: string) => `--folder ${folder}: it leads outside of the project.`,
  existsAlready: (shown: string) => `${shown}: it is there already; nothing was written.`,
  written: (shown: string) => `written  ${shown}\n`,
  next: (shown: string) => `Test it: assay test-rules ${shown}\nUse it:  assay scan --rules ${shown}\n`,
}

export const prove = {
  installCompilersEvmNow: 'Install the compilers and the EVM now (about 120 MB, by npm) instead of on first use.',
  writeFoundryTestEvery:
    'Write a Foundry test for every verified exploit to this folder; it imports your source and fails once that is fixed.',
  writeEveryVerifiedExploit:
    'Write every verified exploit as Markdown for an audit report: impact, steps, control run, Foundry test.',
  outputFormatStepsEach: 'Output format: the steps of each attack as text, or the full result with its evidence.',
  cpuTimeLimitPer: 'CPU time limit per finding.',
  seedBlockHashesRandao: 'Seed for block hashes and randao; the same seed gives the same evidence.',
  filePrefixTarget: 'file or prefix=target',
  importRemappingsTheyOverride: 'Import remappings; they override those of the project.',
  verifyFindingsExecutingAttacks: 'Verify findings by executing attacks in a local EVM.',
  filesFolders: '[files or folders…]',
  scansLikeAssayScan:
    'Scans like `assay scan`, then compiles the contracts, deploys them in a local EVM, executes the attack and compares the result with a control run. Nothing leaves your machine.',
  findingNotReproducedNot:
    'A finding that is not reproduced is not refuted: it stands as it is. The first use fetches the compilers and the EVM, once (also --install, or in a checkout `npm run setup:prover`), and asks first on a terminal; with ASSAY_PROVER_INSTALL=never it does not, and every finding says that it was not attempted.',
  verifiedExploitNeedsHarm:
    'A verified exploit needs harm: an account gained or lost, and a control run without the flagged lever shows neither. Where the flagged code did what it is flagged for without harm, the finding is `executed`.',
  exitCodeNoExploit:
    'Exit code 0: no exploit was verified. 1: at least one was. 2: something could not be read, no finding could be attempted, or the prover is not installed.',
  assayProveContractsVault: 'assay prove contracts/Vault.sol',
  showWhichFindingsHave: 'Show which findings have a verified exploit.',
  assayProveContractsWrite: 'assay prove contracts --write-tests test',
  alsoWriteEachExploit: 'Also write each exploit as a Foundry test.',
  assayProveContractsPoc: 'assay prove contracts --poc audit',
  alsoWriteEachExploitAs: 'Also write each exploit as a section of an audit report.',
  verifiedExecutedWithoutHarm: (findings: string, length: number, length2: number, length3: number, length4: number) =>
    `${findings}: ${length} verified, ${length2} executed without harm, ${length3} not reproduced, ${length4} not attempted.`,
  executedNoHarmShown: 'executed, no harm shown',
  notReproduced: 'Not reproduced. The search found no exploit, which does not refute these findings:',
  notAttempted: 'Not attempted:',
}

export const scan = {
  outputFormatTextJson:
    'Output format: text; json or sarif; markdown or html reports; gitlab (code quality), junit, github (annotations) or github-summary for CI.',
  writeResultFileInstead: 'Write the result to this file instead of standard output.',
  alsoWriteResultFormat: 'Also write the result in this format to a file.',
  exitIfFindingHas: 'Exit with 1 if a finding has at least this severity; findings that need review never count.',
  reportOnlyTheseDetectors: 'Report only these detectors (ids, SWC numbers or aliases, separated by commas).',
  skipTheseDetectors: 'Skip these detectors.',
  hideFindingsBelowSeverity: 'Hide findings below this severity.',
  hideFindingsBelowConfidence: 'Hide findings below this confidence.',
  customDetectorsJavascriptModule:
    'Rules of your own: a YAML file, or a JavaScript module. A module is executed: load only code you trust. In a settings file only YAML.',
  hideFindingsWithoutSwc: 'Hide findings without an SWC number.',
  alsoReportFindingsSuppressed: 'Also report findings suppressed by comments.',
  earlierResultJsonSarif:
    'Earlier result (JSON or SARIF): only new findings can fail the run. Or a triage file with dismissed findings.',
  reportOnlyFindingsLines: 'Report only findings on lines changed since this commit (trace included), or new since it.',
  doNotReadImported: 'Do not read imported files; by default they are analyzed but not reported.',
  verifyFindingsExecutingAttacks: 'Verify findings by executing attacks (see `assay prove`); never fails a scan.',
  showCodeTraceEvery: 'Show code and trace of every finding.',
  groupDetails: 'Group details by.',
  numberMostSevereFindings:
    'Number of most severe findings in the summary, and of findings per detector shown with code.',
  baseUrlDetectorPages: 'Base URL of the detector pages for links in SARIF.',
  timeLimitPerFile: 'Time limit per file; a file that exceeds it counts as not scanned.',
  numberThreadsNumberCores: 'Number of threads; 0: number of cores.',
  ignoreDoNotWrite: 'Ignore and do not write the cache.',
  scanAgainWhenFile: 'Scan again when a file changes.',
  configFileDefaultNearest: 'Config file; default: the nearest assay.config.json above the first path.',
  printOneLinePer: 'Print one line per finding (with --baseline: per new finding) and nothing else.',
  colorsTextOutput: 'Colors in text output.',
  scanProjectFilesFolders: 'Scan a project, files or folders for vulnerabilities.',
  filesFolders: '[files or folders…]',
  scansCurrentFolderDefault:
    'Scans the current folder by default. Detects Foundry, Hardhat, Truffle, Soldeer and Remix projects with their sources, tests, dependencies and remappings. Reports only code that gets deployed; imports are analyzed too. `-` reads standard input.',
  missingImportsUnreadableFiles: 'Missing imports and unreadable files never stop a scan; they are listed at the end.',
  exitCodeNoFinding:
    'Exit code 0: no finding at or above --fail-on. 1: at least one. 2: something could not be scanned.',
  scanCurrentProject: 'Scan the current project.',
  assayScanContractsVault: 'assay scan contracts/Vault.sol --details',
  oneFileCodeTraces: 'One file, with code and traces.',
  assayScanFormatJson: 'assay scan --format json',
  jsonResultAsApi: 'JSON result, as the API returns it.',
  assayScanFailHigh: 'assay scan --fail-on high --report sarif=assay.sarif --report html=assay.html',
  oneScanThreeOutputs: 'One scan, three outputs.',
  assayScanBaselineBaseline: 'assay scan --baseline baseline.json',
  failOnlyNewFindings: 'Fail only on new findings.',
  assayScanScopeProject: 'assay scan --scope project --exclude "contracts/legacy/**"',
  includeTestsScriptsExclude: 'Include tests and scripts, exclude a folder.',
  catContractsVaultSol: 'cat contracts/Vault.sol | assay scan -',
  scanStandardInput: 'Scan standard input.',
  pagesMustUrlEnds: (url: string) =>
    `--pages ${url}: must be a URL that ends with a slash, for example https://example.org/pages/.`,
  reportMustFormatFile: (word: string) => `--report ${word}: must be format=file, for example sarif=assay.sarif.`,
  reportFormatMustOne: (word: string, list: string) => `--report ${word}: the format must be one of ${list}.`,
}

export const show = {
  showRolesEntryPoints: 'Show the attack surface, roles, entry points, state, calls, flows, inheritance or storage.',
  viewsRolesWhoMay:
    'Views: attack-surface (all entry points on one page, open ones first), entry-points (required caller, value at risk, external calls), roles (who may call what, and what it writes), state (written and read by whom), call-graph, control-flow, data-dependencies (what the written state depends on), inheritance, storage (slots and offsets).',
  aidReadingCodeWhether:
    'Callers, writes, calls and flows are those of the analysis, with modifiers and internal calls inlined: a check that anyone passes is no role.',
  outputTableTreeMermaid: 'Output: table or tree, Mermaid, DOT, SVG, or JSON.',
  showOnlyTheseContracts: 'Show only these contracts.',
  assayShowRoles: 'assay show roles',
  whoCanCallWhat: 'Who can call what in the current project.',
  assayShowAttackSurface: 'assay show attack-surface',
  openEntryPointsFirst: 'All entry points on one page: what anyone can call, and what it can cost.',
  assayShowControlFlow: 'assay show control-flow contracts/Vault.sol --as dot',
  graphOfEachFunction: 'The control-flow graph of each function, for Graphviz.',
  assayShowStorageContracts: 'assay show storage contracts/Vault.sol',
  slotsEachVariable: 'Slots of each variable.',
  assayShowInheritanceAs: 'assay show inheritance --as mermaid',
  graphGithubGitlabRender: 'A graph that GitHub and GitLab render.',
  nameViewAssayShow: (list: string) => `Name a view: assay show <${list}> [files or folders…].`,
}

export const testRules = {
  testRulesYourOwn: 'Test rules of your own against fixtures with marks on their lines.',
  fixtureSolidityFileExpect:
    'A fixture is a Solidity file: `// expect: <id>` on each line that must be reported, `// safe: <id>/<excuse> <why>` on a near miss. The lines reported must equal the lines marked, and an excuse is switched off to prove that it alone keeps its line silent. Default: the folder `fixtures` beside the module.',
  exitCodeAllHold: 'Exit code 0: all hold. 1: one does not. 2: the rules or the fixtures could not be read.',
  assayTestRulesRules: 'assay test-rules rules/no-block-number.mjs',
  assayTestRulesYaml: 'assay test-rules rules/team/rules.yaml',
  rulesWithoutCode: 'Rules without code.',
  noSuchFolderFixtures: (home: string) => `${home}: no such folder of fixtures.`,
  noSolFilesFolder: (home: string) => `${home}: no .sol files in this folder.`,
}

export const triage = {
  reviewFindingsOneOne: 'Review findings one by one and save the status in a file.',
  filesFolders: '[files or folders…]',
  savesFingerprintStatusFalse: (triageName: string) =>
    `Saves fingerprint, status (false-positive, accepted, open), reason and expiry date in ${triageName}. \`assay scan --baseline ${triageName}\` then hides dismissed findings. A finding is matched by rule, contract, function and text, so lines may move and files may be renamed.`,
  allEveryFindingWithout: 'With --all every finding without a status gets this one.',
  setStatusAllFindings: 'Set this status for all findings without one.',
  reasonAll: 'The reason, with --all.',
  expiryDateStatusExample: 'Expiry date of the status, for example 2027-01-31.',
  reviewFindingsWithoutStatus: 'Review findings without a status.',
  assayTriageAllOpen: 'assay triage --all open --reason "before the first audit"',
  startExistingCodeBase: 'Start with an existing code base: fail only on new findings.',
  untilMustDateExample: (until: string) => `--until ${until}: must be a date, for example 2027-01-31.`,
  leadsOutsideProject: (shown: string) => `${shown}: it leads outside of the project.`,
  notJson: 'it is not JSON',
  notTriageFileNothing: (shown: string) => `${shown}: it is not a triage file; nothing was changed.`,
  fAlsePositiveCcepted: '[f]alse positive, [a]ccepted, [o]pen, [s]kip, [q]uit? ',
  reasonRequired: 'A reason is required.\n',
}
