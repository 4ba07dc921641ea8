/** Texts of `components/`, by the file that shows them. Texts with values are functions. */

export const aiScanForm = {
  aiModelYourChoice: 'An AI model of your choice reviews the findings and looks for more. Included in the',
  openrouterApiKey: 'OpenRouter API key',
  sentScanOnlyNever: 'Sent with this scan only. Never stored.',
  openrouterModelIdE: 'OpenRouter model ID, e.g. anthropic/claude-sonnet-4.5',
  aiReviewProgress: 'AI review in progress',
  scanAiReview: 'Scan with AI review',
  canTakeMinuteTwo: ' This can take a minute or two.',
  findingsSentModel: 'Findings sent to the model.',
  modelResponding: 'The model is responding.',
  checkingResponseAgainstSource: 'Checking the response against the source.',
}

export const guarded = {
  logSeePage: 'Log in to see this page.',
  takesRole: (role: string, organization: string, own: string) =>
    role === 'owner'
      ? `Only owners of ${organization} can use this page. Your role is ${own}.`
      : `Your role in ${organization} is ${own}: you can read, but not scan. An owner can change it.`,
}

export const layout = {
  offline: 'You are offline. What is open stays; scanning and saving work again once you are connected.',
  skipMainContent: 'Skip to main content',
  assayOpenSourceUnder: 'Assay is open source under the MIT license. A clean scan does not guarantee security.',
}

export const logInAgain = {
  logAgainAs: 'Log in again as ',
  continuePageKeptLast: 'to continue. This page is kept and the last request is repeated.',
}

export const quotaLeft = {
  dailyQuotaResets: (resetsAt: string) => `The daily quota resets at ${resetsAt}`,
}

export const scoreGauge = {
  securityScore: (score: number, rating: string | null) =>
    `Security score ${score} of 100${rating === null ? '' : `, ${rating}`}`,
}

export const sourceView = {
  searchSource: 'Search in the source',
  foldMembers: 'Fold other functions',
  fold: (line: number) => `Fold the lines below line ${line}`,
  unfold: (line: number) => `Unfold the lines below line ${line}`,
}

export const themeToggle = {
  switchTheme: (other: string) => `Switch to ${other} theme`,
}

export const trendChart = {
  scoreOverTime: (name: string) => `Score of ${name} over time`,
}

export const palette = {
  goTo: 'Go to',
  chooseDefinition: 'Choose a definition',
  search: 'Search pages, projects, detectors and symbols',
  placeholder: 'Type a page, project, detector, file or function',
  results: 'Results',
  nothingFound: 'Nothing found.',
}

export const paletteHost = {
  goTo: 'Go to',
  goToKey: 'Go to a page, project, detector or symbol (Ctrl+K)',
  page: 'Page',
  project: 'Project',
  detector: 'Detector',
}

export const severityBar = {
  outsideSwc: (count: number) => `${count} outside the SWC list`,
}

export const laterPart = {
  notLoaded: 'This part could not be loaded. Check your connection, then try again.',
}
