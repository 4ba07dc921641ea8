import { expect, test } from 'vitest'
import { createSecondFactorStore } from '../stores/second-factors.ts'
import { createWebhookStore } from '../stores/webhooks.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { startTestApp } from '../testing/start-test-app.ts'
import { countLostKeys } from './keys.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { openSecret } from './second-factors.ts'
import { toBase32 } from './totp.ts'
import { secretsOf } from './webhooks.ts'

const [oldSecret, newSecret] = ['the old master secret', 'the new master secret']

describeOnEachDatabase('rotation of the master secret', (context) => {
  test('keys and sessions work before, during and after, and nothing needs the old secret in the end', async () => {
    const start = (environment: Record<string, string>) => startTestApp({ database: context.database, environment })
    const before = await start({ MASTER_SECRET: oldSecret })
    const account = await before.signUp({ plan: 'pro' })
    const { id, keyValue } = await before.makeKey(account)
    const hook = await before.post('/api/v1/webhooks', { url: 'http://127.0.0.1:9/hook' }, account.session)
    const { id: webhookId, secret } = hook.json().data
    const { password } = account
    const enrolled = (await before.post('/api/v1/second-factors/totp', { password }, account.session)).json().data
    await before.close()

    const during = await start({ MASTER_SECRET: newSecret, MASTER_SECRET_PREVIOUS: oldSecret })
    const use = { 'x-api-key': keyValue }
    expect((await during.get('/api/v1/scans', use)).statusCode).toBe(200)
    expect((await during.get('/api/me', account.session)).statusCode).toBe(200)
    expect(await resealSecrets(during.deps)).toEqual({ keys: 1, webhooks: 1, factors: 1 })
    expect(await resealSecrets(during.deps)).toEqual({ keys: 0, webhooks: 0, factors: 0 })
    await during.close()

    const after = await start({ MASTER_SECRET: newSecret })
    expect((await after.get('/api/v1/scans', use)).statusCode).toBe(200)
    const { token } = (await after.post('/api/login', { email: account.email, password: account.password })).json()
    const session = { authorization: `Bearer ${token}` }
    const { data } = (await after.get(`/api/v1/user-api-keys?userId=${account.userId}`, session)).json()
    expect(data.apiKeys).toMatchObject([{ id, keyValue }])
    const row = await createWebhookStore(after.deps.db).get(webhookId)
    expect(secretsOf(after.deps, row!, after.clock.now())).toEqual([secret])
    const factor = await createSecondFactorStore(after.deps.db).find(account.userId, enrolled.id)
    expect(toBase32(openSecret(after.deps, factor!))).toBe(enrolled.secret)
    await after.close()
  })

  test('a key whose secret was taken away is counted, listed without its value, and can be revoked and replaced', async () => {
    const start = (environment: Record<string, string>) => startTestApp({ database: context.database, environment })
    const before = await start({ MASTER_SECRET: 'a secret that gets lost' })
    const account = await before.signUp()
    const lost = await before.makeKey(account)
    await before.close()

    const after = await start({ MASTER_SECRET: newSecret })
    const { token } = (await after.post('/api/login', { email: account.email, password: account.password })).json()
    const session = { authorization: `Bearer ${token}` }
    const listed = async () =>
      (await after.get(`/api/v1/user-api-keys?userId=${account.userId}`, session)).json().data.apiKeys
    expect(await countLostKeys(after.deps)).toBe(1)
    expect((await after.get('/api/v1/scans', { 'x-api-key': lost.keyValue })).statusCode).toBe(403)
    const fresh = await after.makeKey({ ...account, session })
    const keys = await listed()
    expect(keys).toHaveLength(2)
    expect(keys).toContainEqual(expect.objectContaining({ id: fresh.id, keyValue: fresh.keyValue }))
    expect(keys).toContainEqual(expect.objectContaining({ id: lost.id, keyValue: '', status: 'ACTIVE' }))
    expect(await resealSecrets(after.deps)).toEqual({ keys: 0, webhooks: 0, factors: 0 })
    await after.inject({ method: 'DELETE', url: `/api/v1/user-api-keys/${lost.id}`, headers: session })
    expect(await countLostKeys(after.deps)).toBe(0)
    await after.close()

    const both = await start({ MASTER_SECRET: newSecret, MASTER_SECRET_PREVIOUS: 'a secret that gets lost' })
    expect(await countLostKeys(both.deps)).toBe(0)
    await both.close()
  })
})
