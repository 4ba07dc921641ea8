import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { findFault, makeRequest, randomFrom } from '../testing/fuzz-requests.ts'
import { useTestApp } from '../testing/start-test-app.ts'
import { routes } from './index.ts'

/** `npm run fuzz` sets more rounds and another seed. */
const ROUNDS = Number(process.env.FUZZ_ROUNDS ?? 6)
const SEED = Number(process.env.FUZZ_SEED ?? 1)

describeOnEachDatabase('every route', (context) => {
  const suite = useTestApp(context)

  test(`answers ${ROUNDS} rounds of odd requests with a refusal, never 500, a leak or silence`, {
    timeout: 60_000 + ROUNDS * 20_000,
  }, async () => {
    const random = randomFrom(SEED)
    const account = await suite.app.signUp({ plan: 'pro' })
    const key = { 'x-api-key': (await suite.app.makeKey(account)).keyValue }
    const credentials = [
      {},
      account.session,
      key,
      { 'x-api-key': 'assay_live_nonsense' },
      { cookie: 'assay_session=x' },
    ]
    const faults: string[] = []
    let count = 0
    for (let round = 0; round < ROUNDS && faults.length < 10; round++) {
      for (const route of routes) {
        // Those would end the session that the others need.
        if (route.url === '/api/logout' || route.url === '/api/v1/sessions/:id') continue
        const request = makeRequest(random, route, credentials)
        count += 1
        const remoteAddress = `10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`
        const answer = await suite.app.inject({ ...request, remoteAddress })
        // The analysis is not part of this test app.
        const isNoAnalysis = suite.app.logLines.some((line) => line.includes('has no analysis'))
        suite.app.logLines.length = 0
        const fault = isNoAnalysis ? undefined : findFault(answer)
        if (fault) faults.push(`${JSON.stringify(request).slice(0, 600)} → ${fault}`)
      }
    }
    expect(faults).toEqual([])
    expect(count).toBeGreaterThan(ROUNDS * 40)
  })
})
