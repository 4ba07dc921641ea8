import { afterAll, beforeAll, expect, test } from 'vitest'
import { unpack } from '../core/stored.ts'
import { createScanCountStore } from '../stores/scan-counts.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type TestAccount, useTestApp } from '../testing/start-test-app.ts'
import { contentOf, takeTurn } from './idempotency.ts'

describeOnEachDatabase('idempotent requests', (context) => {
  const suite = useTestApp(context)
  let account: TestAccount
  let round = 0
  beforeAll(async () => {
    account = await suite.app.signUp()
  })
  afterAll(() => undefined)

  const take = (key: string, content = 'same') =>
    takeTurn(suite.app.deps, { accountId: account.userId, route: 'POST /x', key, content })
  const response = {
    status: 200,
    headers: { 'content-type': 'text/plain' },
    packed: Buffer.from('an answer with a secret'),
  }

  test('of ten at once one gets the turn', async () => {
    const key = `key-of-the-client-${++round}`
    const turns = await Promise.allSettled(Array.from({ length: 10 }, () => take(key)))
    expect(turns.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(turns.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { status: 409, message: 'A request with this Idempotency-Key is still in progress.' },
    })
  })

  test('what was answered is replayed for a day, sealed meanwhile', async () => {
    const key = `key-of-the-client-${++round}`
    const turn = await take(key)
    if (turn.kind === 'proceed') await turn.complete(response)
    expect(await take(key)).toEqual({ kind: 'replay', response })
    const rows = await context.database.db.selectFrom('idempotent_requests').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('secret')
    expect(JSON.stringify(rows)).not.toContain(key)
    suite.app.clock.travel('P1D')
    expect((await take(key, 'other')).kind).toBe('proceed')
  })

  test('an answer that an older program kept is replayed after the upgrade', async () => {
    const key = `key-of-the-client-${++round}`
    const turn = await take(key)
    if (turn.kind === 'proceed') await turn.complete(response)
    const kept = { status: 200, headers: response.headers, body: 'kept beside its status' }
    const { deps } = suite.app
    await context.database.db
      .updateTable('idempotent_requests')
      .set({
        response: deps.secrets.seal('response', JSON.stringify(kept), `${account.userId}/POST /x`),
        response_body: null,
      })
      .where('key_index', '=', deps.secrets.index('idempotency-key', key))
      .execute()
    suite.app.clock.travel('PT1H')
    const replayed = await take(key)
    expect(replayed).toMatchObject({ kind: 'replay', response: { status: 200, headers: response.headers } })
    if (replayed.kind === 'replay') expect(unpack(replayed.response.packed).toString()).toBe(kept.body)
  })

  test('other content under the same key is refused, in flight and after', async () => {
    const key = `key-of-the-client-${++round}`
    const turn = await take(key)
    await expect(take(key, 'other')).rejects.toMatchObject({ status: 422 })
    if (turn.kind === 'proceed') await turn.complete(response)
    await expect(take(key, 'other')).rejects.toMatchObject({ status: 422 })
  })

  test('work that produced nothing gives the key back', async () => {
    const key = `key-of-the-client-${++round}`
    const turn = await take(key)
    if (turn.kind === 'proceed') await turn.release()
    expect((await take(key, 'other')).kind).toBe('proceed')
  })

  test('what another process was working on may be taken over once that process is gone', async () => {
    const key = `key-of-the-client-${++round}`
    const elsewhere = { ...suite.app.deps, instanceId: 'job_elsewhere' }
    const counts = createScanCountStore(context.database.db)
    await counts.keepAlive('job_elsewhere', suite.app.clock.now().getTime() + 15_000)
    const request = { accountId: account.userId, route: 'POST /x', key, content: 'same' }
    expect((await takeTurn(elsewhere, request)).kind).toBe('proceed')
    await expect(take(key)).rejects.toMatchObject({ status: 409 })
    suite.app.clock.travel('PT16S')
    expect((await take(key)).kind).toBe('proceed')
  })

  test('what a living process lost holds its key for five minutes, and cannot answer for its successor', async () => {
    const key = `key-of-the-client-${++round}`
    const lost = await take(key)
    suite.app.clock.travel('PT4M')
    await expect(take(key)).rejects.toMatchObject({ status: 409 })
    suite.app.clock.travel('PT1M')
    const second = await take(key)
    expect(second.kind).toBe('proceed')
    if (lost.kind === 'proceed') {
      await lost.complete({ ...response, packed: Buffer.from('late') })
      await lost.release()
    }
    if (second.kind === 'proceed') await second.complete(response)
    expect(await take(key)).toEqual({ kind: 'replay', response })
  })

  test('content is names, values and bytes, whatever carried them', () => {
    expect(contentOf([['file', Buffer.from('a')]])).toBe(contentOf([['file', new Uint8Array([97])]]))
    expect(contentOf([['a', 'bc']])).not.toBe(contentOf([['ab', 'c']]))
    expect(
      contentOf([
        ['a', 'x'],
        ['b', 'y'],
      ]),
    ).not.toBe(contentOf([['a', 'x","b","y']]))
  })
})
