import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { transaction } from '../stores/database.ts'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { type ScanService, startScanService } from '../testing/scan-service.ts'
import { removeAccount } from './remove-account.ts'

describeOnEachDatabase('an account with many scans', (context) => {
  let service: ScanService
  beforeAll(async () => {
    service = await startScanService(context.database)
  })
  afterAll(() => service.close())

  const tablesThatKnow = async (...words: string[]): Promise<string[]> => {
    const { db } = context.database
    const tables = (await db.introspection.getTables()).filter(
      ({ name, schema }) => name !== 'jobs' && schema !== 'pgboss',
    )
    const known: string[] = []
    for (const { name } of tables) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db)
      if (words.some((word) => JSON.stringify(rows).includes(word))) known.push(name)
    }
    return known
  }

  test('is closed at once and deleted in pieces, and nothing is left', async () => {
    const { account, key } = await service.newCaller()
    const { scanId } = (await service.scan(key)).json()
    await service.scan(key)
    await service.post(`/api/v1/scans/${scanId}/links`, {}, account.session)
    await transaction(context.database.db, (tx) => removeAccount(service.deps, tx, account.userId, 1))
    expect((await service.get('/api/me', account.session)).statusCode).toBe(401)
    const logIn = await service.post('/api/login', { email: account.email, password: account.password })
    expect(logIn.statusCode).toBe(401)
    // Only what the pieces are made of still knows it, and nothing its owner's address.
    const bulk = [
      'accounts',
      'finding_refs',
      'findings',
      'projects',
      'scan_batches',
      'scan_bodies',
      'scan_labels',
      'scan_requests',
      'scans',
    ]
    const counts = ['request_counts', 'scan_counts', 'key_usage']
    const known = await tablesThatKnow(account.userId, scanId)
    expect(known.filter((name) => ![...bulk, ...counts].includes(name))).toEqual([])
    expect(known).toContain('scans')
    expect(await tablesThatKnow(account.email)).toEqual([])
    await service.runJobs()
    expect((await tablesThatKnow(account.userId, scanId)).filter((name) => !counts.includes(name))).toEqual([])
  })
})
