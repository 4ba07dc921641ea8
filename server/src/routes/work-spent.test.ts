import { beforeAll, expect, test } from 'vitest'
import { cpuSecondsPerHour } from '../core/plans.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { sourceForm } from '../testing/form.ts'
import { useTestApp } from '../testing/start-test-app.ts'

describeOnEachDatabase('an account that has used the CPU time of the hour', (context) => {
  const suite = useTestApp(context)
  let key: { 'x-api-key': string }
  beforeAll(async () => {
    const account = await suite.app.signUp({ plan: 'pro' })
    key = { 'x-api-key': (await suite.app.makeKey(account)).keyValue }
    suite.app.deps.workMeter.note(account.userId, cpuSecondsPerHour.pro * 1000)
  })

  test.each(['/api/v1/scan', '/api/v1/ai-scan', '/api/v1/scans/batch', '/scan'])('429: POST %s', async (url) => {
    const { payload, headers } = sourceForm('contract A {}')
    const answer = await suite.app.inject({ method: 'POST', url, payload, headers: { ...headers, ...key } })
    expect([answer.statusCode, answer.json().error]).toEqual([429, expect.stringContaining('CPU')])
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  })
})
