/** Texts of `pages/`, by the file that shows them. Texts with values are functions. */

export const account = {
  noSharedLinksUse: 'No shared links. Use Share on a scan result.',
  scanFoundCriticalHigh: 'A scan found critical or high vulnerabilities',
  dailyQuota: '80% and 100% of the daily quota',
  keyAboutExpire: 'A key is about to expire',
  planChanged: 'The plan changed',
  paymentFailed: 'A payment failed',
  webhookWasDisabled: 'A webhook was disabled',
  weeklyDigest: 'Weekly digest: new findings, oldest open critical and high, projects not scanned',
  securityEmailsAlwaysSent: 'Security emails are always sent. Notifications on the basic plan and above:',
  loadingYourPreferences: 'Loading your preferences',
  loadingLog: 'Loading the log',
  noEventsYet: 'No events yet.',
}

export const compare = {
  compareTwoScans: 'Compare two scans',
  notInSwc: 'not in SWC',
  findingsMatchedFingerprintWhich:
    'Findings are matched by fingerprint, which is stable across edits elsewhere in the file.',
  selectScan: 'Select a scan',
  loadingScans: 'Loading the scans',
  selectTwoScansAbove: 'Select two scans above.',
  youNeedTwoScans: 'You need two scans to compare.',
  scanContract: 'Scan a contract',
  theseScansDifferentFiles: 'These are scans of different files, ',
  newFixedCountsMay: '. New and fixed counts may be unreliable.',
  viewLatestScan: 'View latest scan',
  noNewFindings: 'No new findings',
  noFixedFindings: 'No fixed findings',
  suppressedComment: (length: number) => `Suppressed by a comment (${length})`,
  noUnchangedFindings: 'No unchanged findings',
  loadingSources: 'Loading the sources',
  noSourceChanges: 'No source changes.',
  whatChanged: (path: string) => `What changed in ${path}`,
}

export const detector = {
  incidents: 'Real incidents',
  vulnerableFixed: 'Vulnerable and fixed',
  alsoCalled: (names: string) => `also called ${names}`,
  loadingCatalogue: 'Loading the catalogue',
  detectorNotFound: 'Detector not found',
  notSwc: 'Not in SWC',
  howAttacked: 'How it is attacked',
  howFix: 'How to fix it',
}

export const detectors = {
  allDetectorsSeverityVulnerable: 'All detectors, by severity, with vulnerable and fixed examples.',
  searchNameNumberSlither: 'Search by name, number, or Slither or Aderyn id',
  notSwc: 'Not in SWC',
}

export const forgotPassword = {
  resetYourPassword: 'Reset your password',
  weLlEmailYou: "We'll email you a reset link. It expires in 1 hour.",
  sendResetLink: 'Send reset link',
  backLog: 'Back to log in',
}

export const history = {
  scoreOf: (name: string, scans: number) => `Score of ${name}, last ${scans} scans`,
  selectTwoScansCompare: 'Select two scans to compare.',
  loadingYourScans: 'Loading your scans',
  showOlderScans: 'Show older scans',
  deleteScan: 'Delete this scan?',
  permanentlyDeletesResultSource: 'Permanently deletes the result, the source and its reports.',
  searchFileName: 'Search by file name',
  fromBrowser: 'From the browser',
  apiKey: 'With an API key',
  noScansMatch: 'No scans match.',
  removeFiltersSearchTerms: 'Remove filters or search terms.',
  noScansYet: 'No scans yet.',
  scanContract: 'Scan a contract',
}

export const home = {
  scanContract: 'Scan a contract',
  planResets: (plan: string, resetsAt: string) =>
    `${plan[0]?.toUpperCase()}${plan.slice(1)} plan. The daily quota resets ${resetsAt}.`,
}

export const join = {
  joinOrganization: 'Join an organization',
  logEmailAddressReceived: 'Log in with the email address that received the invitation.',
  noAccountYet: 'No account yet?',
  addressThenOpenLink: 'with that address, then open the link again.',
  yourRole: 'Your role is ',
  workIn: (name: string) => `Open ${name}`,
  youLoggedAs: 'You are logged in as ',
  invitationMustHaveBeen: '. The invitation must have been sent to this address.',
  tokenFromEmail: 'Token from the email',
}

export const keys = {
  keyAuthenticatesScansFrom: 'A key authenticates scans from your scripts and pipelines.',
  saveKeyNowStore: 'Save this key now. Store it as a secret.',
  whichWorksUntil: '), which works until ',
  loadingYourKeys: 'Loading your keys',
  noKeysYet: 'No keys yet.',
  createOneAbove: 'Create one above.',
  yourApiKeys: 'Your API keys',
  requestsKeyWillRejected: 'Requests with this key will be rejected. This cannot be undone.',
  keepingKeysSafe: 'Keeping keys safe',
  keepThemOutSource: "Keep them out of source code: use your platform's secret store or an environment variable.",
  useOneKeyPer: 'Use one key per environment, so that one can be revoked without touching the others.',
  rotateKeyBeforeExpires: 'Rotate a key before it expires: the new one works immediately, the old one for another day.',
  watchLastUsedResponses: 'Watch “last used” and 429 responses; retry with exponential backoff.',
}

export const login = {
  /** The words of the service, by which the page tells this refusal from others. */
  notVerifiedAnswer: 'E-mail address is not verified.',
  enterYourTwoFactor: 'Enter your two-factor code.',
  emailVerifiedLogContinue: 'Email verified. Log in to continue.',
  logPasskey: 'Log in with a passkey',
  forgotYourPassword: 'Forgot your password?',
}

export const plan = {
  loadingYourPlan: 'Loading your plan',
  usageByDay: 'Usage of the last 31 days',
  loadingUsage: 'Loading the usage',
  nothingUsed: 'No scans or requests yet.',
  requestsByKey: 'Requests by key',
  youPlan: (plan: string) => `You are on the ${plan} plan.`,
  paymentFailedWeWill: 'Payment failed. We will retry; if it fails again, the account moves to the free plan on',
  limitsUsage: 'Limits and usage',
  scansMonth: 'Scans this month',
  requestsHour: 'Requests this hour',
  apiKeys: 'with API keys',
  yourPlanEndsUntil: (date: string) =>
    `Your plan ends on ${date}. Until then nothing changes; afterwards you are on free.`,
  yourPlanRenews: (date: string) => `Your plan renews on ${date}.`,
  staysActiveUntil: 'It stays active until ',
  thenYouFreeYou: '; then you are on free. You can resume any time before.',
  loadingPrice: 'Loading the price',
  creditRestYourCurrent: 'Credit for the rest of your current plan',
  payUpgrade: 'Pay and upgrade',
  goCheckout: 'Go to checkout',
  loadingYourInvoices: 'Loading your invoices',
  noInvoicesYet: 'No invoices yet.',
}

export const project = {
  findingsOverTime: (scans: number) => `Open against fixed, last ${scans} scans`,
  loadingProject: 'Loading the project',
  openLastScan: 'Open last scan',
  scoreOverTime: 'Score over time',
  noOpenFindings: 'No open findings.',
  mostSevere: ' most severe of ',
  allFindings: 'All open findings',
  runs: 'Runs',
  withoutBranch: 'without a branch',
  scansProject: 'Scans of this project',
}

export const projects = {
  found: (count: number) => (count === 1 ? '1 vulnerability' : `${count} vulnerabilities`),
  lastScannedFirst: 'Last scanned first',
  lowestScoreFirst: 'Lowest score first',
  scanProject: 'Scan a project',
  loadingYourProjects: 'Loading your projects',
  nameProjectWhenYou: 'Name a project when you scan: its findings are followed from scan to scan.',
  searchProjectName: 'Search by project name',
  noProjectMatches: 'No project matches.',
  count: (shown: number, total: number) => `${shown} of ${total} projects`,
  onlyTag: (tag: string) => `Only projects tagged ${tag}`,
  allTags: (tag: string) => `Remove the filter ${tag}`,
  showMoreProjects: 'Show more projects',
}

export const reference = {
  referenceCouldNotLoaded: 'The reference could not be loaded.',
  loadingReference: 'Loading the reference',
  pageNotFound: 'Page not found',
  sameMachines: 'The same for machines:',
  openapiBegin: ', OpenAPI 3.1. Begin with',
  useMyApiKey: 'Use my API key in examples',
  noActiveApiKey: 'No active API key. Create one under Keys.',
}

export const register = {
  createYourAccount: 'Create your account',
  freeFiveScansDay: 'Free: five scans a day, seven days of history.',
  haveAccount: 'Have an account?',
  useLeastCharactersPassphrase: 'Use at least 8 characters. A passphrase works well.',
}

export const resetPassword = {
  chooseNewPassword: 'Choose a new password',
  apiKeysRevoked: ' and its API keys are revoked',
  everySessionAccountEnds: (word: string) => `Every session of the account ends${word}; log in again afterwards.`,
  tokenFromEmail: 'Token from the email',
}

export const scan = {
  scanContract: 'Scan a contract',
  compilingRunningAttacksCan: 'Compiling and running attacks. This can take up to a minute.',
  yourPlanTakesFiles: (bytes: string, bytes2: string) => `Limits: ${bytes} per upload, ${bytes2} per contract.`,
  scansOneProjectShare:
    'Scans of one project share findings and decisions: what is fixed, new, or accepted carries over.',
  verifyFindingsSimulatedAttacks: 'Verify findings with simulated attacks',
}

export const scanResult = {
  addFiles: 'Add the missing files',
  loadingScan: 'Loading the scan',
}

export const shared = {
  requestFullLink: 'Ask the sender for the full link.',
  loadingResult: 'Loading the result',
  sharedYouUntil: ', shared with you until',
  withoutSource: ', without the source',
  scanYourOwn: 'Scan your own',
}

export const tryTexts = {
  scanBrowser: 'Scan in this browser',
  runsEntirelyYourBrowser: 'Runs entirely in your browser. Nothing is uploaded. No account needed.',
  keepResult: 'Keep this result',
  signUpKeepResult: 'Sign up to keep this result',
  scanBrowser2: 'Scan in this browser',
}

export const verify = {
  verifyYourEmail: 'Verify your email',
  weSentDigitCode: 'We sent a 6-digit code to ',
  expiresMinutes: '. It expires in 10 minutes.',
  weSentDigitCodeYour: 'We sent a 6-digit code to your email. It expires in 10 minutes.',
  sendNewCode: 'Send new code',
  digitsAlsoEmailSubject: '6 digits, also in the email subject.',
}

export const webhook = {
  sendTest: 'Send a test',
  endpointNotFound: 'Endpoint not found',
  newSigningSecretShown: 'New signing secret. Shown only once.',
  loadingDeliveries: 'Loading the deliveries',
  noDeliveriesYet: 'No deliveries yet.',
  sendTestEventScan: 'Send a test event or scan a contract.',
  deleteEndpoint: 'Delete this endpoint?',
  alsoDeletesSecretDelivery: 'Also deletes its secret and delivery log.',
}

export const webhooks = {
  receiveSignedHttpCallbacks:
    'Receive signed HTTP callbacks or chat messages about scans and findings. Included in the pro plan.',
  loadingYourEndpoints: 'Loading your endpoints',
  seePlans: 'See the plans',
  webhooksPausedYourPlan: 'Webhooks are paused on your plan. They resume on the pro plan.',
  signingSecretShownOnly: 'Signing secret. Shown only once.',
  noEndpointsYet: 'No endpoints yet.',
  addOneAboveNothing: 'Add one above; nothing is sent until an event happens.',
  yourWebhookEndpoints: 'Your webhook endpoints',
  addEndpoint: 'Add an endpoint',
  mustHttpsReachableFrom:
    'Must be https and reachable from the internet. A Slack, Teams or Discord webhook receives a chat message.',
  events: {
    'scan.completed': 'Scan completed',
    'scan.failed': 'Scan failed',
    'finding.new': 'New finding in a project',
    'quota.low': 'Daily quota almost used',
    'key.expiring': 'API key expires soon',
  },
  chooseEvent: 'Choose at least one event.',
}
