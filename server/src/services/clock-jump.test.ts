import { expect, test } from 'vitest'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'

describeOnEachDatabase('a clock that was a day ahead for a while', (context) => {
  const suite = useTestApp(context)

  test('mails queued meanwhile leave now, and attempts made meanwhile lock nobody out', async () => {
    const { email, password, session } = await suite.app.signUp()
    suite.app.clock.travel('P1D')
    await suite.app.post('/api/forgot-password', { email })
    for (let n = 0; n < 10; n++) await suite.app.post('/api/login', { email, password: 'wrong' })
    expect((await suite.app.post('/api/login', { email, password })).statusCode).toBe(429)
    suite.app.clock.travel('-P1D')
    expect((await suite.app.post('/api/login', { email, password })).statusCode).toBe(200)
    await suite.app.runJobs()
    expect(suite.app.mails.findLast(({ to }) => to === email)?.subject).toBe('Reset your Assay password')
    expect((await suite.app.get('/api/me', session)).statusCode).toBe(200)
  })
})
