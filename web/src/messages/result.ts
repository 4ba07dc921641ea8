/** Texts of `result/`, by the file that shows them. Texts with values are functions. */

export const aiReviewForm = {
  usesOneScanFrom: 'Uses one scan from your daily quota. The AI review of each finding is saved with the new scan.',
}

export const decisionForm = {
  changeStatus: (state: string) => `Status: ${state}. Change status`,
  reasonFor: (state: string) => `Reason (${state})`,
  savedFindingShownLater: 'Saved with the finding and shown in later scans.',
  expiresOn: 'Expires on (optional)',
  openAgainAfter: 'The finding is open again after this date.',
}

export const findingNotes = {
  unassigned: 'Unassigned',
  changeAssignee: (assignee: string) => `Assignee: ${assignee}. Change assignee`,
  assignTo: (email: string) => `Assign to ${email}`,
  unassign: 'Remove assignee',
  comment: 'Comment',
  addComment: 'Add comment',
  editComment: 'Edit comment',
  saveComment: 'Save comment',
}

export const decisions = {
  reasonRequired: 'A reason is required.',
  chooseDateFuture: 'Choose a date in the future.',
}

export const evidence = {
  noBalanceChanged: 'No balance changed.',
  copyFoundryTest: 'Copy Foundry test',
  downloadFoundryTest: 'Download the Foundry test',
}

export const excerpt = {
  linesAroundFinding: 'The lines around the finding',
}

export const explanation = {
  howFix: 'How to fix it',
  learnMoreAboutRule: 'Learn more about this rule',
  suppressCode: 'Suppress in code',
  findingId: 'Fingerprint',
  outsideSwcList: 'Outside the SWC list',
  suppressedComment: (id: string) => `${id} · suppressed by a comment`,
  doesNotLowerScore: (id: string) => `${id} · does not lower the score`,
  needsReviewNotScored: (id: string) => `${id} · needs review, not scored`,
  outsideSwcListDoes: 'Outside the SWC list · does not lower the score',
}

export const fileTree = {
  allFiles: (count: number) => `All ${count} files`,
  filesWithFindings: (count: number) => `Files with findings (${count})`,
}

export const filters = {
  allConfidenceLevels: 'All confidence levels',
  groupBy: { kind: 'Group by rule', contract: 'Group by contract', file: 'Group by file' },
  mediumHigh: 'Medium and high',
  hiddenConfidenceFilter: (hiddenByConfidence: number) => `; ${hiddenByConfidence} hidden by confidence filter`,
}

export const findingList = {
  notInSwc: 'not in SWC',
  needsReview: 'needs review',
  selectAllGroup: 'Select all in this group',
  selectFinding: 'Select this finding',
}

export const keyHelp = {
  previousStepTrace: 'previous step of its trace',
  nextStepTrace: 'next step of its trace',
  selectFinding: 'select this finding',
  searchFindings: 'search the findings',
  changeStatus: 'change the status',
  undo: 'undo the last change of status',
  fullScreen: 'show the code on the full screen, and back',
  foldFunctions: 'fold all functions but the one of the finding, and back',
  goToDefinition: 'go to the definition of the name, or of the selected word',
  back: 'back to where the definition was asked for',
  goTo: 'go to a page, project, detector, file or function',
  foldGroup: 'collapse or expand a group in the list',
  moveListWhenHas: 'move in the list, when it has the focus',
}

export const opinion = {
  notSure: 'is not sure',
  foundAiOnlyQuoted: 'Found by AI only. The quoted lines exist in the file; verify the finding yourself.',
  aiReview: (model: string) => `AI review by ${model}`,
  aiResultsDoNot: '. AI results do not affect the score.',
  downloadReport: 'Download the report',
}

export const opinionWords = {
  foundAiOnly: 'found by AI only',
  noFindingsWereReviewed: 'No findings were reviewed or added.',
}

export const overview = {
  linesSyntaxErrorsWere: 'Lines with syntax errors were not scanned:',
  rating: (rating: string) => `${rating} score.`,
  withoutDismissed: (score: number) => `Score ${score} without the dismissed findings.`,
  density: (severe: number, lines: number) =>
    severe === 0
      ? `No open critical or high findings in ${lines.toLocaleString('en')} lines of code.`
      : lines < 1000
        ? `${severe} critical or high ${severe === 1 ? 'finding' : 'findings'} in ${lines} lines of code.`
        : `${((1000 * severe) / lines).toLocaleString('en', { maximumSignificantDigits: 2 })} critical or high findings per 1,000 lines of code.`,
  cut: (listed: number, all: number) =>
    `The ${listed.toLocaleString('en')} most severe of ${all.toLocaleString('en')} findings are listed.`,
  outsideSwc: (count: number) => `${count} not in SWC, not scored.`,
  whyNotScored:
    'The score is calculated from the SWC list. Findings outside of it are as serious as their severity says.',
  missingImports: (count: number) =>
    count === 1
      ? 'An import was not found, so checks in it were not analyzed and the score is not final:'
      : `${count} imports were not found, so checks in them were not analyzed and the score is not final:`,
  andMore: (count: number) => ` and ${count} more`,
  partsCodeWereNot: 'Parts of this code were not analyzed. They may contain vulnerabilities that are not listed.',
  findings: (count: number, word: string) =>
    `${count.toLocaleString('en-US')} ${word}${count === 1 ? 'finding' : 'findings'}`,
  bestPracticesCode: 'Best practices for this code',
}

export const resultView = {
  statusChanged: (count: number, state: string) =>
    count === 1 ? `Status changed to ${state}.` : `Status of ${count} findings changed to ${state}.`,
  listWidth: 'Width of the list',
  explanationWidth: 'Width of the explanation',
  fullScreen: 'Full screen',
  leaveFullScreen: 'Leave full screen',
  doesNotGuaranteeContract: 'This does not guarantee that the contract is secure.',
  noFindingsMatchFilter: 'No findings match the filter.',
  nextPrevious: ' next and previous, ',
  status: ' status, ',
  allThem: ' all of them',
  noFindingSelected: 'No finding selected.',
  statusIs: (state: string) => `Status: ${state}`,
}

export const scanView = {
  assayIgnoreWhySafe: (value: string) => `// assay-ignore ${value}: why this is safe here`,
}

export const whatWasTried = {
  notVerifiedTimeLimit: 'not verified: time limit reached',
  notVerifiedSuppressedCode: 'not verified: suppressed in code',
  notVerifiedFoundAi: 'not verified: found by AI only',
}

export const useDefinitions = {
  notFound: 'No definition found in these files.',
  failed: 'The definition could not be looked up.',
  file: 'File',
}
