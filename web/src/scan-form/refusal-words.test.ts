import { describe, expect, test } from 'vitest'
import { Refusal } from '../api/client.ts'
import { refusalBeforeUpload, refusalOfService } from './refusal-words.ts'

const refusal = (words: string, status: number, retryAfterSeconds: number | null) =>
  new Refusal(words, { status, retryAfterSeconds }, { operation: 'POST /api/v1/scan', attempts: 1 })

const account = {
  plan: 'free',
  quotas: { scansPerDay: 5, maxFileSize: 102_400, maxContractSize: 5120 },
  usage: { scansRemaining: 2, resetsAt: '2026-01-02T00:00:00.000Z' },
}

describe('before the upload', () => {
  test('a file that fits is not refused', () => {
    expect(refusalBeforeUpload('contract A {}', account)).toBeUndefined()
  })

  test('size is measured in bytes as the service does, not in characters', () => {
    const umlauts = `// ${'ü'.repeat(60_000)}`
    expect(refusalBeforeUpload(umlauts, account)?.words).toBe(
      'File too large (117.2 KB). The free plan allows 100 KB. Leave out lib/ and test/, or upgrade.',
    )
  })

  test('nothing but white space is nothing to scan', () => {
    expect(refusalBeforeUpload(' \n', account)).toMatchObject({ canUpgrade: false })
  })

  test('a spent quota is reported with the hour it comes back', () => {
    const spent = { ...account, usage: { ...account.usage, scansRemaining: 0 } }
    expect(refusalBeforeUpload('contract A {}', spent)?.words).toContain('Daily limit reached (5 of 5 scans')
  })
})

describe('in the words of the service', () => {
  test('413 tells the file from the contract', () => {
    const contract = refusal('Contract size exceeds maximum limit of 5120 bytes. Upload a smaller contract.', 413, null)
    expect(refusalOfService(contract, account)?.words).toContain('allows 5 KB per contract')
    expect(refusalOfService(refusal('File size exceeds…', 413, null), account)?.words).toContain('100 KB')
  })

  test('429 tells the hour from the day; the largest plan cannot be upgraded', () => {
    const hourly = refusal('Hourly rate limit exceeded.', 429, 600)
    expect(refusalOfService(hourly, account)).toEqual({
      words: 'Hourly request limit of the free plan reached. Try again in 10 minutes.',
      canUpgrade: true,
    })
    expect(refusalOfService(hourly, { ...account, plan: 'pro' })?.canUpgrade).toBe(false)
  })

  test('anything else keeps its own words', () => {
    expect(refusalOfService(refusal('Scan failed. Reference 1', 500, null), account)).toBeUndefined()
    expect(refusalOfService(new Error('x'), account)).toBeUndefined()
  })
})
