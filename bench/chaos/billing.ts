import type { PlanName } from '../../server/src/core/plans.ts'
import { type StripeStandIn, startStripeStandIn } from '../../server/src/gateways/stand-ins/stripe.ts'
import { openDatabase } from '../../server/src/stores/database.ts'
import { operate, type ServerSettings, spawnServer } from '../../server/src/testing/spawn-server.ts'
import { type Act, newFolder, until } from './stage.ts'

const ACCOUNTS = 6

/**
 * Each account pays at a checkout, moves up, cancels or is cancelled, while the provider fails, loses answers and delivers its events late,
 * twice and in reverse, and the server is killed in between. In the end every plan is what the provider has on record.
 */
export const breakBilling: Act = async (report) => {
  const { hold } = report
  const settings = { dataDir: newFolder() }
  const stripe = await startStripeStandIn(new Date())
  const environment = {
    BILLING_PROVIDER: 'stripe',
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_PRICE_BASIC: stripe.prices.basic,
    STRIPE_PRICE_PRO: stripe.prices.pro,
    STRIPE_API_BASE: stripe.url,
  }
  // One after the other: each command holds the folder, and gives up after a while.
  const people: Awaited<ReturnType<typeof newPerson>>[] = []
  for (let index = 0; index < ACCOUNTS; index++) people.push(await newPerson(settings, index))
  let server = await spawnServer(settings, environment)
  const upgrade = async (key: string, newPlan: string): Promise<{ status: number; checkoutUrl?: string }> => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' }
    const body = JSON.stringify({ newPlan })
    const answer = await fetch(`${server.url}/api/upgrade-plan`, { method: 'POST', headers, body })
    return { ...((await answer.json()) as { checkoutUrl?: string }), status: answer.status }
  }
  const insistent = async (key: string, newPlan: string) => {
    let answer = await upgrade(key, newPlan)
    for (let tries = 0; answer.status >= 500 && tries < 10; tries++) answer = await upgrade(key, newPlan)
    return answer
  }
  let delivered = 0
  /** Newest first, each twice: the worst order that at-least-once allows. */
  const deliver = async (): Promise<void> => {
    for (const event of [...stripe.events]
      .slice(delivered)
      .reverse()
      .flatMap((one) => [one, one])) {
      const { body, signature } = stripe.sign(event, new Date())
      const headers = { 'stripe-signature': signature, 'content-type': 'application/json' }
      await fetch(`${server.url}/api/billing/webhook`, { method: 'POST', headers, body })
    }
    delivered = stripe.events.length
  }
  try {
    for (const [index, { key, userId }] of people.entries()) {
      stripe.failNext(500, 503)
      const { checkoutUrl } = await insistent(key, index % 2 === 0 ? 'basic' : 'pro')
      if (checkoutUrl && index !== 5) stripe.payCheckout(checkoutUrl)
      if (index === 2) stripe.failNext(500, 500, 500)
      if (index !== 4) await deliver()
      if (index === 0) stripe.loseNextAnswer()
      if (index % 2 === 0 && index !== 4) await insistent(key, 'pro')
      if (index === 3) stripe.cancelAtOnce(await subscriptionOf(stripe, userId))
      if (index % 3 === 1) {
        await server.kill()
        server = await spawnServer(settings, environment)
      }
    }
    await deliver()
    const truth = new Map<string, PlanName>()
    for (const { userId } of people) truth.set(userId, await planAtProvider(stripe, userId))
    let plans = new Map<string, PlanName>()
    const isEqual = await until(async () => {
      plans = await plansOf(settings)
      return [...truth].every(([userId, plan]) => plans.get(userId) === plan)
    })
    const show = (map: ReadonlyMap<string, PlanName>) => people.map(({ userId }) => map.get(userId)).join(' ')
    hold('every plan is what the provider says', isEqual, `${show(plans)}; the provider: ${show(truth)}`)
    const charged = await Promise.all(people.map(({ userId }) => liveSubscriptions(stripe, userId)))
    hold(
      'nobody pays twice',
      charged.every((live) => live.length <= 1),
      `${charged.map((live) => live.length).join(' ')} subscriptions`,
    )
  } finally {
    await server.kill()
    await stripe.close()
  }
}

async function newPerson(settings: ServerSettings, index: number): Promise<{ key: string; userId: string }> {
  const email = `payer${index}@example.com`
  const lines = await operate(settings, ['create-account', email], ['create-key', email])
  const userId = lines.find((line) => line.startsWith('userId'))?.split(' ')[1] ?? ''
  return { userId, key: lines.find((line) => line.startsWith('assay_live_')) ?? '' }
}

interface Subscription {
  id: string
  status: string
  items: { data: { price: { id: string } }[] }
}

/** Asked as anyone asks the provider, not looked up in its memory. */
async function liveSubscriptions(stripe: StripeStandIn, userId: string): Promise<Subscription[]> {
  const customer = stripe.findCustomerOf(userId)
  const answer = await fetch(`${stripe.url}/v1/subscriptions?customer=${customer}`, {
    headers: { authorization: `Bearer ${stripe.secretKey}` },
  })
  const { data } = (await answer.json()) as { data: Subscription[] }
  return data.filter(({ status }) => status === 'active')
}

const subscriptionOf = async (stripe: StripeStandIn, userId: string): Promise<string> =>
  (await liveSubscriptions(stripe, userId))[0]?.id ?? ''

async function planAtProvider(stripe: StripeStandIn, userId: string): Promise<PlanName> {
  const [live] = await liveSubscriptions(stripe, userId)
  if (!live) return 'free'
  return live.items.data[0]?.price.id === stripe.prices.pro ? 'pro' : 'basic'
}

async function plansOf(settings: ServerSettings): Promise<Map<string, PlanName>> {
  const database = await openDatabase({ ...settings })
  const rows = await database.db.selectFrom('accounts').select(['id', 'plan']).execute()
  await database.close()
  return new Map(rows.map(({ id, plan }) => [id, plan as PlanName]))
}
