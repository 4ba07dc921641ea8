/** Texts of `landing/`, by the file that shows them. Texts with values are functions. */

export const accuracyRows = {
  smartbugsRecallLabeledVulnerabilities: 'SmartBugs: recall on labeled vulnerabilities',
  solidifiRecallInjectedVulnerabilities: 'SolidiFI: recall on injected vulnerabilities',
  swcRegistryRecallSamples: 'SWC registry: recall on samples',
  swcRegistryFalsePositives: 'SWC registry: false positives on fixed samples',
  jiuzhouRecallLabeledVulnerabilities: 'JiuZhou: recall on labeled vulnerabilities',
  dappscanRecallAuditFindings: 'DAppSCAN: recall on audit findings',
  recallRecentAuditFindings: 'Recall on recent audit findings',
  findingsPerLinesAudited: 'Findings per 1,000 lines in audited libraries',
}

export const live = {
  keepResult: 'Keep this result',
  loadingScanner: 'Loading the scanner…',
  nothingScanYet: 'Nothing to scan yet.',
  tooLongLiveScanning: 'Too long for live scanning. Click “Scan in this browser”.',
  scansOneSolFile: 'Scans one .sol file at a time. Sign up to scan whole projects.',
  resultCouldNotLoaded: 'The result could not be loaded. Check the connection and try again.',
}

export const page = {
  chooseFile: 'Choose a Solidity file',
  resultAsYouType: 'Result as you type',
  copySnippet: (title: string) => `Copy the snippet: ${title}`,
  signUpKeepResult: 'Sign up to keep this result',
  bestOtherTool: 'Best other tool',
  commandLine: 'On the command line',
  inAPipeline: 'In a pipeline',
  assayScanFailMedium: 'assay scan --fail-on medium --format github \\\n  --report sarif=assay.sarif',
  startFree: 'Start for free',
  tryItNow: 'Try it now',
  skipToContent: 'Skip to main content',
  chooseAFile: 'Choose a file',
  scanHere: 'Scan in this browser',
  benchmarksLead: 'The same contracts and labels for every tool, including where Assay falls short.',
  exploitVerified: 'Exploit verified on this example',
  control: (change: string, result: string) => `Control run (${change}): ${result}.`,
  ownDetectors: (count: number, all: number) =>
    `${count} of ${all} detectors have no counterpart in Slither or Aderyn, for example:`,
  benchmarksCaption: 'Accuracy compared with other tools',
  license: 'Assay is open source under the MIT license. A clean scan does not guarantee security.',
}

export const panelHtml = {
  noFindings: 'No findings',
  score: (score: number, rating: string | null) => `Score ${score} of 100${rating === null ? '' : ` (${rating})`}.`,
  needsReview: 'needs review',
  review: (count: number) => (count === 0 ? '' : ` ${count} more ${count === 1 ? 'needs' : 'need'} review.`),
}

export const words = {
  findVulnerabilitiesYourContracts: 'Find vulnerabilities in your contracts before attackers do.',
  assayTracksDataFlow:
    'Assay tracks data flow, call order and access control in Solidity 0.4 to 0.8, and shows each vulnerability in your code with the cause and the fix.',
  runsEntirelyYourBrowser: 'Runs entirely in your browser. Nothing is uploaded. No account needed.',
}
