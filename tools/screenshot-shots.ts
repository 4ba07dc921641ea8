import type { Page } from 'playwright-core'
import { vulnerable } from '../web/e2e/contracts.ts'
import { addressOf, type Places, password, type Reader } from './screenshot-readers.ts'

export interface Shot {
  name: string
  path: string
  /** `owner` by default. */
  reader?: Reader
  /** Before the page is opened. */
  before?: (page: Page) => Promise<unknown>
  /** After it has come: what brings the state about. */
  act?: (page: Page) => Promise<unknown>
  /** The picture is of the wait itself. */
  isLoading?: true
  /** What `act` does depends on the size of the window. */
  isReopened?: true
  /** What the window shows: a picture of the whole page scrolls a part that scrolls by itself back to its top. */
  isWindowOnly?: true
}

type Act = NonNullable<Shot['act']>

const press =
  (name: string | RegExp, exact = true) =>
  (page: Page) =>
    page.getByRole('button', { name, exact }).first().click()
const source = (page: Page) => page.getByRole('textbox', { name: 'Contract source' })
const findings = (page: Page) => page.getByRole('tree', { name: 'Findings' })
const inTurn =
  (...acts: Act[]): Act =>
  async (page) => {
    for (const act of acts) await act(page)
  }
const givePassword: Act = async (page) => {
  await page.getByRole('dialog').getByLabel('Password').last().fill(password)
  await page.keyboard.press('Enter')
}
/** The service never answers: what stands in the place of the page is seen. */
const stall = (pattern: string | RegExp) => (page: Page) => page.route(pattern, () => {})
const answer =
  (pattern: string | RegExp, status: number, error: string, headers: Record<string, string> = {}) =>
  (page: Page) =>
    page.route(pattern, (route) => route.fulfill({ status, headers, json: { error } }))
const choose = (files: Record<string, string>) => (page: Page) =>
  page
    .getByLabel('Choose a Solidity file')
    .setInputFiles(
      Object.entries(files).map(([name, text]) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })),
    )

/** Every page and each of its states. */
export const shotsOf = (places: Places): Shot[] => [
  ...ofVisitors(places),
  ...ofNewcomers(places),
  ...ofScanning(),
  ...ofResults(places),
  ...ofHistory(places),
  ...ofAccounts(places),
  ...ofTrouble(places),
  // From here on the owner acts for it.
  { name: 'organization', path: places.organization },
]

const ofVisitors = ({ shared, sharedBare, unsubscribe, checkout }: Places): Shot[] =>
  (
    [
      { name: 'landing', path: '/' },
      {
        name: 'landing-found',
        path: '/',
        act: async (page) => {
          await source(page).click()
          await page.getByRole('list', { name: 'Findings' }).waitFor()
        },
      },
      { name: 'try', path: '/try' },
      {
        name: 'try-result',
        path: '/try',
        act: async (page) => {
          await press('Scan in this browser')(page)
          await findings(page).waitFor()
        },
      },
      { name: 'register', path: '/register' },
      { name: 'verify', path: '/verify?email=ada%40example.com' },
      { name: 'login', path: '/login' },
      {
        name: 'login-wrong',
        path: '/login',
        before: answer('**/api/login', 401, 'Invalid email or password.'),
        act: async (page) => {
          await page.getByLabel('Email').fill(addressOf('owner'))
          await page.getByLabel('Password').fill('something else')
          await press('Log in')(page)
          await page.getByRole('alert').waitFor()
        },
      },
      {
        name: 'login-code',
        path: '/login',
        act: async (page) => {
          await page.getByLabel('Email').fill(addressOf('owner'))
          await page.getByLabel('Password').fill(password)
          await press('Log in')(page)
          await page.getByLabel('Code from your authenticator app').waitFor()
        },
      },
      { name: 'forgot-password', path: '/forgot-password' },
      { name: 'reset-password', path: '/reset-password' },
      { name: 'join-visitor', path: '/join' },
      { name: 'shared', path: shared },
      { name: 'shared-without-source', path: sharedBare },
      { name: 'shared-gone', path: `/shared#${'a'.repeat(43)}` },
      { name: 'detectors', path: '/detectors' },
      { name: 'detector', path: '/detectors/reentrancy' },
      { name: 'detector-missing', path: '/detectors/no-such-detector' },
      { name: 'docs', path: '/docs' },
      { name: 'docs-scans', path: '/docs/scans' },
      { name: 'status', path: '/status' },
      { name: 'checkout', path: checkout },
      { name: 'checkout-missing', path: '/sandbox/checkout/chk_nothing' },
      { name: 'unsubscribe', path: unsubscribe },
      { name: 'unsubscribe-invalid', path: '/unsubscribe?token=x' },
      { name: 'missing', path: '/no-such-page' },
      { name: 'menu-visitor', isReopened: true, path: '/login', act: openMenu },
    ] satisfies Shot[]
  ).map((shot) => ({ ...shot, reader: 'visitor' }))

const openMenu: Act = async (page) => {
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) return menu.click()
  const account = page.getByRole('button', { name: /^Account of/ })
  if (await account.isVisible()) await account.click()
}

const ofNewcomers = ({ invitation }: Places): Shot[] =>
  (
    [
      { name: 'home-first-run', path: '/home' },
      { name: 'history-empty', path: '/scans' },
      { name: 'keys-empty', path: '/keys' },
      { name: 'plan-free', path: '/plan' },
      {
        name: 'plan-upgrade',
        path: '/plan',
        act: async (page) => {
          await press('Upgrade to pro')(page)
          await page.getByText('Due today').waitFor()
        },
      },
      { name: 'webhooks-refused', path: '/webhooks' },
      { name: 'compare-none', path: '/compare' },
      { name: 'join', path: invitation },
      {
        name: 'too-large',
        path: '/scan',
        act: async (page) => {
          await source(page).fill(`${vulnerable}\n// ${'x'.repeat(110_000)}`)
          await page.getByText('plan allows').last().waitFor()
        },
      },
    ] satisfies Shot[]
  ).map((shot) => ({ ...shot, reader: 'newcomer' }))

const ofScanning = (): Shot[] => [
  { name: 'scan', path: '/scan' },
  { name: 'scan-address', path: '/scan?from=address' },
  { name: 'scan-batch', path: '/scan?from=batch' },
  { name: 'scan-typed', path: '/scan', act: (page) => source(page).fill(vulnerable) },
  {
    name: 'scan-files',
    path: '/scan',
    act: choose({
      'Bank.sol': vulnerable,
      'Branch.sol': 'import "./Bank.sol"; contract Branch is Bank {}',
      'Lost.sol': 'import "./Elsewhere.sol"; contract Lost {}',
      'Empty.sol': '',
    }),
  },
  { name: 'scan-nothing', path: '/scan', act: choose({ 'notes.txt': 'no contract' }) },
  {
    name: 'scan-unreadable',
    path: '/scan',
    act: async (page) => {
      await source(page).fill('this is no contract')
      await press('Scan')(page)
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'scan-elsewhere',
    path: '/scan',
    reader: 'spent',
    act: async (page) => {
      await source(page).fill(vulnerable)
      await press('Scan locally in the browser')(page)
      await findings(page).waitFor()
    },
  },
  { name: 'quota-spent', path: '/scan', reader: 'spent', act: (page) => source(page).fill(vulnerable) },
  {
    name: 'too-often',
    path: '/scan',
    before: answer('**/api/v1/scan', 429, 'Rate limit exceeded.', { 'retry-after': '600' }),
    act: async (page) => {
      await source(page).fill(vulnerable)
      await press('Scan')(page)
      await page.getByRole('alert').waitFor()
    },
  },
]

const ofResults = (places: Places): Shot[] => [
  { name: 'result', path: places.crowded },
  { name: 'result-grave', path: places.treasury },
  { name: 'result-clean', path: places.fixed },
  { name: 'result-project', path: places.project },
  { name: 'result-evidence', path: places.evidence },
  { name: 'result-opinion', path: places.opinion },
  { name: 'result-filtered', path: `${places.crowded}?sev=high.medium&conf=high&by=contract` },
  { name: 'result-no-match', path: `${places.crowded}?q=nothing` },
  {
    name: 'result-sheet',
    isReopened: true,
    path: places.crowded,
    act: async (page) => {
      if ((page.viewportSize()?.width ?? 0) < 768) await findings(page).locator('[data-finding]').first().click()
      else await page.keyboard.press(']')
    },
  },
  { name: 'result-export', isReopened: true, path: places.crowded, act: press('Export') },
  { name: 'result-keys', isReopened: true, path: places.crowded, act: (page) => page.keyboard.press('?') },
  { name: 'result-ask', path: places.crowded, act: press('AI review') },
  {
    name: 'result-decide',
    isReopened: true,
    isWindowOnly: true,
    path: places.crowded,
    act: async (page) => {
      if ((page.viewportSize()?.width ?? 0) < 768) await findings(page).locator('[data-finding]').first().click()
      await page
        .getByRole('button', { name: /Change status$/ })
        .last()
        .click()
      await page.getByRole('button', { name: 'Accepted risk…' }).click()
    },
  },
  {
    name: 'result-marked',
    isReopened: true,
    path: places.crowded,
    act: async (page) => {
      // What was decided is known a little later than what was found.
      await findings(page).locator('[aria-checked]').first().waitFor()
      for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
      await press('Change status')(page)
    },
  },
  { name: 'result-set-aside', path: `${places.treasury}?sev=decided` },
  {
    name: 'result-print',
    path: places.crowded,
    act: (page) => page.emulateMedia({ media: 'print' }),
  },
  { name: 'share', path: places.crowded, act: press('Share') },
  {
    name: 'share-badge',
    path: places.vulnerable,
    act: async (page) => {
      await press('Share')(page)
      await page.getByLabel('Include').selectOption('badge')
      await press('Create link')(page)
      await page.getByRole('img', { name: 'The badge' }).waitFor()
    },
  },
]

const ofHistory = (places: Places): Shot[] => [
  { name: 'home', path: '/home' },
  { name: 'projects', path: '/projects' },
  { name: 'project', path: places.ofProject },
  { name: 'findings', path: '/findings' },
  { name: 'history', path: '/scans' },
  { name: 'history-no-match', path: '/scans?name=nothing' },
  {
    name: 'history-menu',
    isReopened: true,
    path: '/scans',
    act: (page) =>
      page
        .getByRole('button', { name: /^More for the scan/ })
        .first()
        .click(),
  },
  {
    name: 'history-chosen',
    path: '/scans',
    act: async (page) => {
      for (const n of [0, 1]) await page.getByRole('checkbox').nth(n).check()
    },
  },
  { name: 'compare', path: places.compare },
  { name: 'compare-unchosen', path: '/compare' },
  { name: 'menu', isReopened: true, path: '/home', act: openMenu },
]

const ofAccounts = ({ webhook }: Places): Shot[] => [
  { name: 'keys', path: '/keys' },
  {
    name: 'keys-choices',
    path: '/keys',
    act: (page) => page.getByText('Permissions and limits').click(),
  },
  { name: 'keys-rotate', path: '/keys', act: press('Rotate pipeline') },
  { name: 'keys-change', path: '/keys', act: press('Change nightly') },
  { name: 'keys-revoke', path: '/keys', act: press('Revoke nightly') },
  { name: 'plan', path: '/plan' },
  { name: 'plan-cancel', path: '/plan', act: press('Cancel the plan') },
  { name: 'webhooks', path: '/webhooks' },
  { name: 'webhook', path: webhook },
  { name: 'account', path: '/account' },
  {
    name: 'account-app',
    path: '/account',
    act: async (page) => {
      await inTurn(press('Add an app'), givePassword)(page)
      await page.getByRole('img', { name: 'The secret as a QR code' }).waitFor()
    },
  },
  {
    name: 'account-codes',
    path: '/account',
    act: async (page) => {
      await inTurn(press('New recovery codes'), givePassword)(page)
      await page.getByRole('heading', { name: 'Your recovery codes' }).waitFor()
    },
  },
  { name: 'account-log-out', path: '/account', act: press('Log out everywhere') },
  { name: 'account-export', path: '/account', act: press('Export everything') },
  { name: 'account-delete', path: '/account', act: press('Delete the account') },
  {
    name: 'docs-own-key',
    path: '/docs/scans',
    act: (page) => page.getByLabel('Use my API key in examples').check(),
  },
]

const ofTrouble = ({ crowded, compare, shared }: Places): Shot[] => [
  {
    name: 'session-ended',
    path: '/scan',
    before: answer('**/api/v1/scan', 401, 'Your session has ended.'),
    act: async (page) => {
      await source(page).fill(vulnerable)
      await press('Scan')(page)
      await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
    },
  },
  {
    name: 'busy',
    path: '/scans',
    before: answer('**/api/v1/scans?**', 503, 'Busy.', { 'retry-after': '15' }),
    act: (page) => page.getByText('The service is busy.').waitFor(),
    isLoading: true,
  },
  {
    name: 'failed',
    path: '/scans',
    before: answer('**/api/v1/scans?**', 500, 'Something went wrong on our side. Reference: 4f1c.'),
    act: (page) => page.getByRole('alert').waitFor(),
  },
  {
    name: 'broken',
    path: '/home',
    act: async (page) => {
      await page.route(/assets\/detectors-.*\.js/, (route) => route.abort())
      await page.evaluate(`history.pushState({}, '', '/detectors'); dispatchEvent(new PopStateEvent('popstate'))`)
      await page.getByRole('heading', { name: 'This page broke.' }).waitFor()
    },
  },
  { name: 'result-missing', path: '/scans/no-such-scan' },
  ...loading('loading-home', '/home', /api\/v1\/projects/),
  ...loading('loading-history', '/scans', /api\/v1\/scans\?/),
  ...loading('loading-result', crowded, /api\/v1\/scans\/[^/]+$/),
  ...loading('loading-compare', '/compare', /api\/v1\/scans\?/),
  ...loading('loading-compared', compare, /api\/v1\/scans\/[^/]+$/),
  ...loading('loading-scan', '/scan', /api\/me$/),
  ...loading('loading-detector', '/detectors/reentrancy', /api\/v1\/detectors/),
  ...loading('loading-shared', shared, /api\/v1\/shared/),
  ...loading('loading-keys', '/keys', /user-api-keys/),
  ...loading('loading-plan', '/plan', /user-plan/),
  ...loading('loading-webhooks', '/webhooks', /api\/v1\/webhooks/),
  ...loading('loading-account', '/account', /second-factors|sessions|links|mail-preferences|security-log/),
  ...loading('loading-docs', '/docs', /openapi\.json/),
  ...loading('loading-detectors', '/detectors', /api\/v1\/detectors/),
]

const loading = (name: string, path: string, pattern: RegExp): Shot[] => [
  {
    name,
    path,
    before: stall(pattern),
    act: (page) => page.locator('main .animate-pulse').first().waitFor(),
    isLoading: true,
  },
]
