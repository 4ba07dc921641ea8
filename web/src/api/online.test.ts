import { afterEach, expect, test, vi } from 'vitest'
import { call } from './client.ts'
import { isOnline, partOf } from './online.ts'

afterEach(() => vi.unstubAllGlobals())

test('a request without a network is refused at once and in words, and is not sent later', async () => {
  const fetch = vi.fn()
  vi.stubGlobal('navigator', { onLine: false })
  vi.stubGlobal('fetch', fetch)
  await expect(call('GET /api/v1/scans', {})).rejects.toMatchObject({
    status: 0,
    message: 'You are offline. Nothing was sent. Try again when you are connected.',
  })
  expect(fetch).not.toHaveBeenCalled()
})

test('a part that does not come offline fails without the words that make the router reload', async () => {
  const lost = new TypeError('Failed to fetch dynamically imported module: /assets/x.js')
  vi.stubGlobal('navigator', { onLine: false })
  await expect(partOf(Promise.reject(lost), 'Offline.')).rejects.toThrow(/^Offline\.$/)
  vi.stubGlobal('navigator', { onLine: true })
  await expect(partOf(Promise.reject(lost), 'Offline.')).rejects.toBe(lost)
})

test('a browser that cannot say counts as connected', () => {
  vi.stubGlobal('navigator', undefined)
  expect(isOnline()).toBe(true)
})
