import { expect, test } from 'vitest'
import { startTestApp } from './testing/start-test-app.ts'

test('a whole life of an account leaves no secret in the log', async () => {
  const app = await startTestApp()
  const account = await app.signUp({ plan: 'pro' })
  const key = await app.makeKey(account)
  const reset = 'f'.repeat(64)
  const gatewayKey = 'sk-or-v1-0123456789abcdef'
  await app.post('/api/login', { email: account.email, password: 'the wrong password' })
  await app.post('/api/reset-password', { token: reset, newPassword: 'brand new password' })
  await app.post('/api/verify-email', { email: account.email, otp: '493027' })
  await app.get(`/api/v1/user-api-keys?userId=${account.userId}`, account.session)
  await app.get('/api/me', { cookie: `assay_session=${account.token}` })
  await app.post(`/api/v1/user-api-keys/${key.id}/rotate`, { overlapSeconds: 60 }, account.session)
  const form = new FormData()
  form.set('file', new Blob(['contract A {}']), 'A.sol')
  form.set('openrouterApiKey', gatewayKey)
  form.set('model', 'some/model')
  for (const url of ['/api/v1/scan', '/api/v1/ai-scan']) {
    const encoded = new Response(form)
    await app.inject({
      method: 'POST',
      url,
      headers: { 'x-api-key': key.keyValue, 'content-type': encoded.headers.get('content-type') ?? '' },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
  }
  // The engine is missing in this app, so the scans failed: their errors are in the log too.
  const log = app.logLines.join('')
  expect(log).toContain('/api/v1/ai-scan')
  expect(log).toContain('failed')
  const codes = app.mails.map(({ subject }) => /^\d{6}/.exec(subject)?.[0] ?? '').filter(Boolean)
  expect(codes.length).toBeGreaterThan(0)
  const secrets = [
    account.password,
    'the wrong password',
    'brand new password',
    account.token,
    account.userId,
    key.keyValue,
    key.keyValue.slice(11),
    reset,
    gatewayKey,
    'a master secret for tests only',
    ...codes.map((code) => `"${code}`),
    '493027',
  ]
  for (const secret of secrets) expect(log.includes(secret), secret).toBe(false)
  await app.close()
})
