import { expect, test } from 'vitest'
import { createLog } from './log.ts'

function logged(act: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  act(createLog({ level: 'trace', destination: { write: (line) => void lines.push(line) } }))
  return lines.join('')
}

test.each([
  ['password', { password: 'hunter2hunter2' }],
  ['code', { otp: '493027' }],
  ['token', { body: { token: 'abc.def' } }],
  ['cookie', { headers: { cookie: 'assay_session=abc' } }],
  ['gateway key', { fields: [{ openrouterApiKey: 'or-key' }] }],
  ['key', { headers: { 'X-API-Key': 'whatever' } }],
  ['authorization', { req: { headers: { authorization: 'Basic abc' } } }],
  ['userId', { query: { userId: 'usr_1' } }],
])('a %s is not logged under its name', (_what, object) => {
  const line = logged((log) => log.info(object, 'here'))
  const secret = JSON.stringify(object).match(/:"([^"]+)"/)?.[1] ?? ''
  expect(secret).not.toBe('')
  expect(line).toContain('[redacted]')
  expect(line).not.toContain(secret)
})

test.each([
  `assay_live_${'a'.repeat(38)}`,
  `assay_test_${'Z'.repeat(38)}`,
  `whsec_${'b'.repeat(32)}`,
  `Bearer ${'c'.repeat(40)}`,
  'd'.repeat(64),
  'sk-or-v1-secretsecretsecret',
  'sk_live_secretsecret',
])('%s is masked wherever it stands', (secret) => {
  const line = logged((log) => {
    log.info(`message with ${secret}`)
    log.error({ err: new Error(`failed for ${secret}`), url: `/x?k=${secret}` }, 'here')
  })
  const bare = secret.replace('Bearer ', '')
  expect(line).not.toContain(bare)
  expect(line).toContain('[redacted]')
})

test('the password in a database address is masked', () => {
  const line = logged((log) => log.info('connect to postgres://assay:pa55word@db:5432/assay'))
  expect(line).toContain('postgres://assay:[redacted]@db:5432')
})

test('an error keeps its message, code and cause, and loses what a library hung on it', () => {
  const error = Object.assign(new Error('no answer', { cause: new Error('socket closed') }), {
    code: 'ECONNREFUSED',
    config: { headers: { authorization: 'secret' } },
  })
  const line = JSON.parse(logged((log) => log.error({ err: error }, 'failed')))
  expect(line).toMatchObject({
    level: 'error',
    msg: 'failed',
    err: { type: 'Error', message: 'no answer', code: 'ECONNREFUSED', cause: { message: 'socket closed' } },
  })
  expect(JSON.stringify(line)).not.toContain('secret')
})
