import { detectors } from '@assay/engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'

describe('GET /api/v1/detectors', () => {
  let service: TestApp
  beforeAll(async () => {
    service = await startTestApp()
  })
  afterAll(() => service.close())

  test('200: every detector of the engine, for anyone, with an example of what it reports and what not', async () => {
    const answer = await service.get('/api/v1/detectors')
    expect(answer.statusCode).toBe(200)
    const { data } = answer.json()
    expect(data.total).toBe(detectors.length)
    expect(data.detectors.map(({ id }: { id: string }) => id)).toEqual(detectors.map(({ id }) => id))
    const pragma = data.detectors.find(({ id }: { id: string }) => id === 'floating-pragma')
    expect(pragma).toMatchObject({
      swc: 'SWC-103',
      name: 'Floating Pragma',
      severity: 'high',
      attackScenario: expect.arrayContaining([expect.stringContaining('compiler')]),
      references: expect.arrayContaining([expect.stringContaining('SWC-103')]),
      examples: { vulnerable: expect.stringContaining('^'), safe: expect.stringContaining('pragma solidity 0.') },
    })
    // The interface names this number after something else.
    expect(data.detectors.find(({ id }: { id: string }) => id === 'copied-solution')).toMatchObject({
      swc: 'SWC-114',
      name: 'Tx.Origin Authentication',
      registryTitle: 'Transaction Order Dependence',
    })
    const reentrancy = data.detectors.find(({ id }: { id: string }) => id === 'reentrancy')
    expect(reentrancy.incidents[0]).toMatch(/^The DAO \(June 2016, /)
  })
})
