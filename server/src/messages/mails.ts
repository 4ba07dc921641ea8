import { type Block, type MailDraft, quoteUntrusted } from './mail-draft.ts'

/** Below notices that can be turned off. */
export const footer = { turnOff: 'Turn off emails of this kind' }

/** Every mail the service sends. No source, no API key, no userId in any of them. */
export const mailTemplates = {
  code: (facts: { code: string; accountName: string; requestedAt: Date; minutes: number }): MailDraft => ({
    subject: `${facts.code} is your Assay verification code`,
    blocks: [
      `Someone registered with this email address under the name ${quoteUntrusted(facts.accountName)} at ${moment(facts.requestedAt)}. If that was you, confirm with this code:`,
      { code: facts.code },
      `The code expires after ${facts.minutes} minutes and works once. A newer code replaces it.`,
      'If you did not register, do not use the code: it would confirm an account with a password that someone else chose.',
    ],
  }),

  reset: (facts: { publicUrl: string; token: string; requestedAt: Date; keyNames: readonly string[] }): MailDraft => ({
    subject: 'Reset your Assay password',
    blocks: [
      `A new password for your account was requested at ${moment(facts.requestedAt)}.`,
      { link: `${facts.publicUrl}/reset-password#token=${facts.token}`, label: 'Choose a new password here' },
      ...(facts.keyNames.length > 0
        ? [
            `The account has ${keys(facts.keyNames.length)}, which a new password does not revoke:`,
            { list: facts.keyNames.map(quoteUntrusted) },
            {
              link: `${facts.publicUrl}/reset-password#token=${facts.token}&keys=revoke`,
              label: 'If someone else may have had access, set a new password and revoke these keys',
            },
          ]
        : []),
      'Or use this token with the API:',
      { alone: facts.token },
      'It expires after one hour and works once. If you did not request it, ignore this email: nothing has changed.',
    ],
  }),

  passwordChanged: (facts: {
    publicUrl: string
    at: Date
    keyNames: readonly string[]
    areKeysRevoked: boolean
    /** The browser in which it was changed stays logged in. */
    isOneSessionKept?: boolean
  }): MailDraft => ({
    subject: 'Your Assay password was changed',
    blocks: [
      `The password of your account was changed at ${moment(facts.at)}, and every ${facts.isOneSessionKept ? 'other session' : 'session'} was ended.`,
      ...(facts.keyNames.length === 0
        ? []
        : facts.areKeysRevoked
          ? [
              `${keys(facts.keyNames.length)} of the account were revoked with it:`,
              { list: facts.keyNames.map(quoteUntrusted) },
            ]
          : [
              `${keys(facts.keyNames.length)} of the account still work:`,
              { list: facts.keyNames.map(quoteUntrusted) },
              { link: `${facts.publicUrl}/keys`, label: 'Revoke those you do not know here' },
            ]),
      { link: `${facts.publicUrl}/forgot-password`, label: 'If that was not you, take the account back here' },
    ],
  }),

  newAddress: (facts: { code: string; minutes: number; requestedAt: Date }): MailDraft => ({
    subject: `${facts.code} confirms your new Assay address`,
    blocks: [
      `At ${moment(facts.requestedAt)}, the owner of an Assay account asked to change its email address to this one. If that was you, confirm with this code:`,
      { code: facts.code },
      `The code expires after ${facts.minutes} minutes and works once. If it was not you, ignore this email: nothing has changed.`,
    ],
  }),

  addressChanged: (facts: { publicUrl: string; to: string; at: Date }): MailDraft => ({
    subject: 'The email address of your Assay account was changed',
    blocks: [
      `Your account belongs to ${facts.to} since ${moment(facts.at)}. This address no longer opens it.`,
      'If that was not you, someone else knows your password. Contact the operator of this service immediately.',
      { link: facts.publicUrl, label: 'Open Assay' },
    ],
  }),

  accountDeleted: (facts: { at: Date }): MailDraft => ({
    subject: 'Your Assay account was deleted',
    blocks: [
      `Your account was deleted at ${moment(facts.at)} on your request. Its API keys no longer work, and its scans, findings, links and webhooks are gone.`,
    ],
  }),

  secondFactorChanged: (facts: { publicUrl: string; change: string; at: Date }): MailDraft => ({
    subject: 'The log-in settings of your Assay account were changed',
    blocks: [
      `${facts.change} at ${moment(facts.at)}.`,
      { link: `${facts.publicUrl}/account#security-log`, label: 'View your security log' },
      { link: `${facts.publicUrl}/forgot-password`, label: 'If that was not you, choose a new password here' },
    ],
  }),

  secondFactorFailed: (facts: { publicUrl: string; at: Date; address: string }): MailDraft => ({
    subject: 'Another person may know your Assay password',
    blocks: [
      `At ${moment(facts.at)} a request from ${facts.address} had the right password of your account, and then several wrong codes. No log-in succeeded.`,
      { link: `${facts.publicUrl}/forgot-password`, label: 'If that was not you, choose a new password here' },
    ],
  }),

  newKey: (facts: { publicUrl: string; keyName: string; keyType: string; at: Date; replaces?: string }): MailDraft => ({
    subject: 'A new API key was created in your Assay account',
    blocks: [
      `A ${facts.keyType} key named ${quoteUntrusted(facts.keyName)} was created at ${moment(facts.at)}${facts.replaces ? ' to replace an older one' : ''}.`,
      'API keys are never sent by email.',
      { link: `${facts.publicUrl}/keys`, label: 'If that was not you, revoke it here' },
    ],
  }),

  changedByKey: (facts: { publicUrl: string; change: string; keyName: string; at: Date }): MailDraft => ({
    subject: 'An API key made a change in your Assay account',
    blocks: [
      `${facts.change} with the API key named ${quoteUntrusted(facts.keyName)} at ${moment(facts.at)}.`,
      { link: `${facts.publicUrl}/account#security-log`, label: 'View your security log' },
      { link: `${facts.publicUrl}/keys`, label: 'If that was not you, revoke the key here' },
    ],
  }),

  invitation: (facts: {
    publicUrl: string
    organisation: string
    role: string
    token: string
    expiresAt: Date
  }): MailDraft => ({
    subject: 'You are invited to an organization on Assay',
    blocks: [
      `You are invited to join the organization ${quoteUntrusted(facts.organisation)} as ${facts.role}.`,
      {
        link: `${facts.publicUrl}/join#token=${facts.token}`,
        label: 'Join with an account that has this email address',
      },
      'Or use this token with the API:',
      { alone: facts.token },
      `It works once, until ${moment(facts.expiresAt)}. If you do not know the organization, ignore this email: nothing has changed.`,
    ],
  }),

  organisationDeleted: (facts: { organisation: string; at: Date }): MailDraft => ({
    subject: 'An organization of yours on Assay was deleted',
    blocks: [
      `An owner deleted the organization ${quoteUntrusted(facts.organisation)} at ${moment(facts.at)}. Its API keys no longer work, and its scans, findings and webhooks are gone.`,
      'Your own account has not changed.',
    ],
  }),

  scanFindings: (facts: { publicUrl: string; scans: readonly ScanSummary[]; more: number }): MailDraft => {
    const [first] = facts.scans
    const sum = (severity: 'critical' | 'high') => facts.scans.reduce((total, scan) => total + scan[severity], 0)
    const where = facts.scans.length === 1 && first ? first.fileName : `${facts.scans.length + facts.more} scans`
    return {
      subject: `${where}: ${severe({ critical: sum('critical'), high: sum('high') })}`,
      blocks: [
        ...facts.scans.flatMap((scan) => describeScan(scan, facts.publicUrl)),
        ...(facts.more > 0
          ? [{ link: `${facts.publicUrl}/scans`, label: `And ${count(facts.more, 'more')}: see all scans` }]
          : []),
        'Scans from the browser send no email. Scans with API keys send at most one email per hour.',
      ],
    }
  },

  batchFindings: (facts: {
    publicUrl: string
    batchId: string
    completed: number
    /** How many of them have such findings. */
    scans: number
    critical: number
    high: number
  }): MailDraft => ({
    subject: `A batch found ${count(facts.critical, 'critical')} and ${count(facts.high, 'high')} findings`,
    blocks: [
      `The batch ${facts.batchId} is done: ${facts.scans} of ${facts.completed} scans found ${count(facts.critical, 'critical')} and ${count(facts.high, 'high')} findings.`,
      { link: `${facts.publicUrl}/scans`, label: 'See the findings' },
    ],
  }),

  quotaUsage: (facts: {
    publicUrl: string
    percent: 80 | 100
    used: number
    limit: number
    resetsAt: Date
  }): MailDraft => ({
    subject:
      facts.percent === 100 ? 'Your daily scan quota is used up' : `${facts.percent} % of your daily scans are used`,
    blocks: [
      `${facts.used} of ${facts.limit} scans used today. The quota resets at ${moment(facts.resetsAt)}.`,
      { link: `${facts.publicUrl}/plan`, label: 'Your plan and usage' },
    ],
  }),

  keyExpiring: (facts: { publicUrl: string; keyName: string; keyType: string; expiresAt: Date }): MailDraft => ({
    subject: 'An Assay API key is about to expire',
    blocks: [
      `The ${facts.keyType} key named ${quoteUntrusted(facts.keyName)} expires at ${moment(facts.expiresAt)}. Create or rotate the key before that to avoid interruptions.`,
      { link: `${facts.publicUrl}/keys`, label: 'Your keys' },
    ],
  }),

  planChanged: (facts: {
    publicUrl: string
    organisation?: string | undefined
    from: string
    to: string
    at: Date
    note?: string
  }): MailDraft => ({
    subject: `${facts.organisation === undefined ? 'Your Assay plan' : `The Assay plan of ${quoteUntrusted(facts.organisation)}`} is now ${facts.to}`,
    blocks: [
      `${planOf(facts)} changed from ${facts.from} to ${facts.to} at ${moment(facts.at)}.${facts.note ? ` ${facts.note}` : ''}`,
      { link: `${facts.publicUrl}/plan`, label: 'Your plan and usage' },
    ],
  }),

  paymentFailed: (facts: {
    publicUrl: string
    organisation?: string | undefined
    plan: string
    at: Date
    graceEndsAt: Date
  }): MailDraft => ({
    subject: 'A payment for your Assay plan failed',
    blocks: [
      `The payment for the ${facts.plan} plan${facts.organisation === undefined ? '' : ` of the organization ${quoteUntrusted(facts.organisation)}`} failed at ${moment(facts.at)}. We will try again; check your payment method. Without a payment the plan ends at ${moment(facts.graceEndsAt)}.`,
      { link: `${facts.publicUrl}/plan`, label: 'Your plan and invoices' },
    ],
  }),

  webhookDisabled: (facts: { publicUrl: string; url: string; reason: string; at: Date }): MailDraft => ({
    subject: 'An Assay webhook was disabled',
    blocks: [
      `Deliveries to the webhook at ${new URL(facts.url).host} were stopped at ${moment(facts.at)}: ${facts.reason}`,
      { link: `${facts.publicUrl}/webhooks`, label: 'Your webhooks' },
    ],
  }),

  weeklyDigest: (facts: { publicUrl: string; accounts: readonly AccountWeek[] }): MailDraft => {
    const sum = (of: (week: AccountWeek) => number) => facts.accounts.reduce((total, week) => total + of(week), 0)
    const fresh = sum(({ newBySeverity }) => countAll(newBySeverity))
    return {
      subject: `Weekly digest: ${findings(fresh, 'new')}, ${sum(({ openSevere }) => openSevere)} open critical or high`,
      blocks: facts.accounts.flatMap((week) => describeWeek(week, facts.publicUrl)),
    }
  },
} as const

export type MailName = keyof typeof mailTemplates
export type MailFacts<Name extends MailName> = Parameters<(typeof mailTemplates)[Name]>[0]

/** Notices that a subscriber can turn off, and what turns them on. */
export const noticeKinds = [
  'scanFindings',
  'quotaUsage',
  'keyExpiring',
  'planChanged',
  'paymentFailed',
  'webhookDisabled',
  'weeklyDigest',
] as const satisfies readonly MailName[]
export type NoticeKind = (typeof noticeKinds)[number]

/** The others are sent until their reader turns them off. */
export const isWantedByDefault = (kind: NoticeKind): boolean => kind !== 'weeklyDigest'

const moment = (date: Date): string => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`

const keys = (n: number): string => `${n} API ${n === 1 ? 'key' : 'keys'}`

const severe = ({ critical, high }: { critical: number; high: number }): string => {
  const parts = [critical > 0 && `${critical} critical`, high > 0 && `${high} high`].filter(Boolean).join(' and ')
  return critical + high === 0 ? 'gate failed' : `${parts} ${critical + high === 1 ? 'finding' : 'findings'}`
}

/** A scan with its most severe findings. */
interface ScanSummary {
  readonly scanId: string
  readonly fileName: string
  readonly completeness: 'full' | 'partial'
  readonly needsReview: number
  readonly suppressed: number
  readonly critical: number
  readonly high: number
  readonly score: number
  /** Why it failed the gate of its project, if it did. */
  readonly gateFailure?: string | undefined
  readonly worst: readonly {
    readonly severity: string
    readonly title: string
    readonly file: string
    readonly line: number
  }[]
}

const describeScan = (scan: ScanSummary, publicUrl: string): Block[] => [
  ...(scan.gateFailure === undefined ? [] : [`Gate failed: ${scan.gateFailure}`]),
  `${scan.fileName} has ${scan.critical + scan.high === 0 ? 'no critical or high findings' : severe(scan)}. The score is ${scan.score} of 100${scan.completeness === 'full' ? '' : ' for what was analyzed'}. ${scan.worst.length > 1 ? 'The most severe findings' : 'The finding'}:`,
  { list: scan.worst.map(({ severity, title, file, line }) => `${severity}: ${title} (${file}, line ${line})`) },
  ...(scan.completeness === 'partial'
    ? ['Incomplete: some of the source could not be analyzed, so there may be more.']
    : []),
  ...(scan.needsReview + scan.suppressed > 0 ? [`Also: ${besides(scan).join(', ')}.`] : []),
  { link: `${publicUrl}/scans/${scan.scanId}`, label: 'See the findings' },
]

const besides = ({ needsReview, suppressed }: ScanSummary): string[] => [
  ...(needsReview > 0 ? [`${needsReview} ${needsReview === 1 ? 'finding needs' : 'findings need'} review`] : []),
  ...(suppressed > 0 ? [`${suppressed} ${suppressed === 1 ? 'finding' : 'findings'} suppressed by comments`] : []),
]

const planOf = ({ organisation }: { organisation?: string | undefined }): string =>
  organisation === undefined ? 'Your plan' : `The plan of the organization ${quoteUntrusted(organisation)}`

const count = (n: number, what: string): string => `${n} ${what}`

const findings = (n: number, which: string): string => `${n} ${which} ${n === 1 ? 'finding' : 'findings'}`

/** The last seven days of one account. */
interface AccountWeek {
  /** Undefined: the reader's own projects. */
  readonly organisation: { readonly id: string; readonly name: string } | undefined
  /** Open ones that were first seen in the week, the most severe first. */
  readonly newBySeverity: readonly { readonly severity: string; readonly count: number }[]
  /** How many critical and high ones are open. */
  readonly openSevere: number
  readonly oldest: readonly {
    readonly scanId: string
    readonly fingerprint: string
    readonly severity: string
    readonly title: string
    /** Undefined: scanned without one. */
    readonly project: string | undefined
    readonly file: string
    readonly line: number
    readonly days: number
  }[]
  readonly projects: number
  readonly scanned: number
  /** Names of the first projects that were not scanned for 30 days, and how many there are. */
  readonly stale: { readonly names: readonly string[]; readonly count: number }
}

const countAll = (counts: AccountWeek['newBySeverity']): number => counts.reduce((total, one) => total + one.count, 0)

function describeWeek(week: AccountWeek, publicUrl: string): Block[] {
  const { organisation, newBySeverity, openSevere, oldest, projects, scanned, stale } = week
  /** The page opens for the account that the section is about. */
  const pageOf = (path: string, query = '') => `${publicUrl}${path}?account=${organisation?.id ?? 'personal'}${query}`
  const fresh = countAll(newBySeverity)
  const bySeverity = newBySeverity.map(({ severity, count: n }) => `${n} ${severity}`).join(', ')
  const others = stale.count - stale.names.length
  return [
    organisation ? `Organization ${quoteUntrusted(organisation.name)}` : 'Your own projects',
    `${findings(fresh, 'new')} this week${fresh > 0 ? `: ${bySeverity}` : ''}. ${scanned} of ${projects} ${projects === 1 ? 'project' : 'projects'} scanned.`,
    ...(fresh > 0 ? [{ link: pageOf('/findings', '&fresh=true'), label: 'New findings' }] : []),
    ...(openSevere > 0 ? [`${findings(openSevere, 'open critical or high')}. The oldest:`] : []),
    ...oldest.map(({ scanId, fingerprint, severity, title, project, file, line, days }) => ({
      link: pageOf(`/scans/${scanId}`, `&f=${encodeURIComponent(fingerprint)}`),
      label: `${severity}: ${title} (${project === undefined ? '' : `${quoteUntrusted(project)}, `}${file}, line ${line}), open for ${days} ${days === 1 ? 'day' : 'days'}`,
    })),
    ...(openSevere > oldest.length
      ? [{ link: pageOf('/findings', '&sort=firstSeenAt'), label: 'All open findings, oldest first' }]
      : []),
    ...(stale.count > 0
      ? [
          `Not scanned for 30 days: ${stale.names.map(quoteUntrusted).join(', ')}${others > 0 ? ` and ${others} more` : ''}.`,
          { link: pageOf('/projects'), label: 'Projects' },
        ]
      : []),
  ]
}
