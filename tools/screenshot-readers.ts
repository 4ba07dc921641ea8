import type { Browser, Page } from 'playwright-core'
import { type OpenRouterStandIn, standInKey } from '../server/src/gateways/stand-ins/open-router.ts'
import { codeOfStep, stepAt } from '../server/src/services/totp.ts'
import { fromBase32 } from '../web/e2e/base32.ts'
import { crowded, fixed, lessOverflowing, overflowing, vulnerable } from '../web/e2e/contracts.ts'
import { mailedCode, mailedInvitation, mailedUnsubscribe, type Receiver, type Service } from '../web/e2e/service.ts'

/** Who looks at a page: an outsider, someone new, someone whose scans of the day are used, and one who works with it. */
export type Reader = 'visitor' | 'newcomer' | 'spent' | 'owner'

/** Addresses that are not the same twice. */
export type Places = Record<
  | 'checkout'
  | 'compare'
  | 'crowded'
  | 'evidence'
  | 'fixed'
  | 'invitation'
  | 'ofProject'
  | 'opinion'
  | 'organization'
  | 'project'
  | 'shared'
  | 'sharedBare'
  | 'treasury'
  | 'unsubscribe'
  | 'vulnerable'
  | 'webhook',
  string
>

export const password = 'a long enough passphrase'
export const addressOf = (reader: Reader): string => `${reader}@example.com`

interface World {
  browser: Browser
  service: Service
  receiver: Receiver
  gateway: OpenRouterStandIn
}

export async function prepareReaders(world: World): Promise<{ pages: Record<Reader, Page>; places: Places }> {
  const open = async () => {
    const page = await (await world.browser.newContext({ reducedMotion: 'reduce' })).newPage()
    page.setDefaultTimeout(15_000)
    return page
  }
  const pages = { visitor: await open(), newcomer: await open(), spent: await open(), owner: await open() }
  for (const [reader, name] of [
    ['newcomer', 'Grace'],
    ['spent', 'Edsger'],
    ['owner', 'Ada'],
  ] as const)
    await signUp(pages[reader], world.service, addressOf(reader), name)
  const checkout = await pathOfCheckout(pages.newcomer, world.service)
  for (let n = 0; n < 5; n++) await scan(pages.spent, world.service, { 'Bank.sol': fixed })
  return { pages, places: { checkout, ...(await prepareOwner(pages.owner, world)) } }
}

interface Answer {
  userId: string
  checkoutUrl: string
  scanId: string
  secret: string
  data: {
    id: string
    url: string
    secret: string
    findings: { id: string; severity: string }[]
    projects: { id: string; name: string }[]
  }
}

const headersOf = ({ url }: Service) => ({ origin: url, 'sec-fetch-site': 'same-origin' })

async function sendRequest(
  page: Page,
  service: Service,
  method: 'post' | 'patch' | 'get',
  path: string,
  data?: unknown,
) {
  const answer = await page.request[method](service.url + path, {
    ...(data !== undefined && { data }),
    headers: headersOf(service),
  })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json()) as Answer
}

async function signUp(page: Page, service: Service, email: string, name: string): Promise<void> {
  await sendRequest(page, service, 'post', '/api/register', { email, password, name })
  await sendRequest(page, service, 'post', '/api/verify-email', { email, otp: await mailedCode(service, email) })
  await sendRequest(page, service, 'post', '/api/login', { email, password })
}

async function pathOfCheckout(page: Page, service: Service): Promise<string> {
  const { checkoutUrl } = await sendRequest(page, service, 'post', '/api/upgrade-plan', { newPlan: 'pro' })
  return new URL(checkoutUrl).pathname
}

type Sources = Record<string, string>

async function scan(page: Page, service: Service, sources: Sources, path = '/api/v1/scan', more: Sources = {}) {
  const form = new FormData()
  for (const [name, value] of Object.entries(more)) form.append(name, value)
  for (const [name, text] of Object.entries(sources)) form.append('file', new Blob([text]), name)
  const answer = await page.request.post(service.url + path, {
    multipart: form,
    headers: headersOf(service),
    // Compilers are slow to start.
    timeout: 0,
  })
  if (!answer.ok()) throw new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
  return ((await answer.json()) as Answer).scanId
}

/** An account that has done a little of everything. */
async function prepareOwner(page: Page, { service, receiver, gateway }: World): Promise<Omit<Places, 'checkout'>> {
  const post = (path: string, body: unknown) => sendRequest(page, service, 'post', path, body)
  const { userId } = await sendRequest(page, service, 'get', '/api/me')
  await post('/api/generate-api-key', { userId, type: 'PRODUCTION', name: 'pipeline' })
  await post(await pathOfCheckout(page, service), { outcome: 'paid' })
  await post('/api/generate-api-key', { userId, type: 'TEST', name: 'nightly', scopes: ['scan'], scansPerDay: 20 })
  const hook = await post('/api/v1/webhooks', { url: receiver.url, description: 'staging' })
  const run = (sources: Sources, path?: string, more?: Sources) => scan(page, service, sources, path, more)

  const first = await run({ 'Bank.sol': vulnerable }, undefined, { project: 'bank' })
  const fixedRun = await run({ 'Bank.sol': fixed }, undefined, { project: 'bank' })
  await run({ 'Treasury.sol': lessOverflowing }, undefined, { project: 'treasury' })
  const treasury = await run({ 'Treasury.sol': overflowing }, undefined, { project: 'treasury' })
  await setAside(page, service, 'treasury')
  const later = await run({ 'Treasury.sol': lessOverflowing }, undefined, { project: 'treasury' })
  const crowd = await run({ 'Crowd.sol': crowded })
  const project = await run({
    'src/Bank.sol': vulnerable,
    'src/branches/Branch.sol': 'pragma solidity 0.8.24;\nimport "../Bank.sol";\n\ncontract Branch is Bank {}\n',
    'src/branches/Vault.sol': crowded.replace('Crowd', 'Vault'),
    'test/Nothing.sol': 'pragma solidity 0.8.24;\n\ncontract Nothing {}\n',
  })
  const evidence = await run({ 'Bank.sol': vulnerable }, '/api/v1/scan?prove=true')
  gateway.reply = () => opinion
  const modelRequest = { openrouterApiKey: standInKey, model: 'acme/auditor-1' }
  const judged = await run({ 'Crowd.sol': crowded }, '/api/v1/ai-scan', modelRequest)
  const share = async (body: object) => {
    const url = new URL((await post(`/api/v1/scans/${crowd}/links`, body)).data.url)
    return url.pathname + url.hash
  }
  const shared = await share({ shows: 'source' })
  const sharedBare = await share({})
  const organisation = await post('/api/v1/organisations', { name: 'Acme' })
  await post(`/api/v1/organisations/${organisation.data.id}/invitations`, {
    email: addressOf('newcomer'),
    role: 'member',
  })
  await addApp(page, service)
  const { data: listed } = await sendRequest(page, service, 'get', '/api/v1/projects')
  return {
    compare: `/compare?before=${treasury}&after=${later}`,
    crowded: `/scans/${crowd}`,
    evidence: `/scans/${evidence}`,
    fixed: `/scans/${fixedRun}`,
    invitation: `/join#token=${await mailedInvitation(service, addressOf('newcomer'))}`,
    ofProject: `/projects/${listed.projects.find(({ name }) => name === 'treasury')?.id}`,
    opinion: `/scans/${judged}`,
    organization: `/organization?account=${organisation.data.id}`,
    project: `/scans/${project}`,
    shared,
    sharedBare,
    treasury: `/scans/${treasury}`,
    unsubscribe: await mailedUnsubscribe(service, addressOf('owner')),
    vulnerable: `/scans/${first}`,
    webhook: `/webhooks/${hook.data.id}`,
  }
}

async function setAside(page: Page, service: Service, project: string): Promise<void> {
  const path = `/api/v1/findings?project=${project}&state=open&severity=high&limit=2`
  const { findings } = (await sendRequest(page, service, 'get', path)).data
  for (const { id } of findings)
    await sendRequest(page, service, 'patch', `/api/v1/findings/${id}`, {
      state: 'accepted',
      reason: 'Dust: nobody minds',
      until: new Date(Date.now() + 90 * 86_400_000).toISOString(),
    })
}

async function addApp(page: Page, service: Service): Promise<void> {
  const { data } = await sendRequest(page, service, 'post', '/api/v1/second-factors/totp', { name: 'Phone', password })
  const code = codeOfStep(fromBase32(data.secret), stepAt(new Date()))
  await sendRequest(page, service, 'post', `/api/v1/second-factors/${data.id}/confirm`, { code })
}

const opinion = JSON.stringify({
  summary: 'The pool can be drained by its own depositors, and anybody whom the owner visits can close it.',
  verdicts: [
    { candidate: 1, verdict: 'confirmed', reason: 'The balance is cleared only after `call` has handed control over.' },
    { candidate: 2, verdict: 'confirmed', reason: '`tx.origin` passes for every contract that the owner calls.' },
    { candidate: 3, verdict: 'doubted', reason: 'One wei is sent; a failure costs nobody anything.' },
  ],
  vulnerabilities: [
    {
      title: 'Deposits cannot be limited',
      severity: 'low',
      confidence: 'medium',
      line: 5,
      quote: 'function deposit() external payable {',
      description: 'Anybody can deposit any amount.',
      recommendation: 'Set a limit.',
    },
  ],
  recommendations: [],
})
