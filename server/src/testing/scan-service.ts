import type { LightMyRequestResponse } from 'fastify'
import { type Analysis, createAnalysis } from '../analysis/analysis.ts'
import type { PlanName } from '../core/plans.ts'
import { startInstance } from '../services/scan-quota.ts'
import type { Database } from '../stores/database.ts'
import { type Form, sourceForm } from './form.ts'
import { startTestApp, type TestAccount, type TestApp } from './start-test-app.ts'

/** A contract with one finding at least: its pragma floats. */
export const floatingSource = 'pragma solidity ^0.8.20;\ncontract Vault { uint public x; }\n'

export interface TestCaller {
  readonly account: TestAccount
  readonly keyId: string
  readonly key: { 'x-api-key': string }
}

/** A test app that really scans. */
export interface ScanService extends TestApp {
  readonly analysis: Analysis
  newCaller(plan?: PlanName, type?: 'PRODUCTION' | 'TEST'): Promise<TestCaller>
  scan(headers: Record<string, string>, body?: Form, url?: string): Promise<LightMyRequestResponse>
}

let shared: Analysis | undefined

/** The workers of all suites of one process, which start once; a suite may replace what its own view does, and closes nothing. */
export function sharedAnalysis(): Analysis {
  shared ??= createAnalysis({
    scanWorkers: 2,
    scanTimeoutMs: 20_000,
    scanMemoryMb: 256,
    scanQueue: 100,
    scanWaitMs: 30_000,
  })
  // Own properties, so that a suite can spread them, with the getters as they are.
  return Object.defineProperties(
    { close: async () => {} },
    withoutClose(Object.getOwnPropertyDescriptors(shared)),
  ) as Analysis
}

const withoutClose = ({ close: _, ...rest }: { [Key in keyof Analysis]: PropertyDescriptor }): PropertyDescriptorMap =>
  rest

export async function startScanService(database: Database): Promise<ScanService> {
  const analysis = sharedAnalysis()
  const app = await startTestApp({ database, analysis })
  const instance = await startInstance(app.deps, { isAlone: false, onError: () => {} })
  return {
    ...app,
    analysis,
    async newCaller(plan, type = 'PRODUCTION') {
      const account = await app.signUp(plan ? { plan } : {})
      const { keyValue, id } = await app.makeKey(account, type)
      return { account, keyId: id, key: { 'x-api-key': keyValue } }
    },
    scan: (headers, body = sourceForm(floatingSource), url = '/api/v1/scan') =>
      app.inject({ method: 'POST', url, payload: body.payload, headers: { ...body.headers, ...headers } }),
    async close(patienceMs) {
      // Before it gives back what it held.
      await app.checkPromises(patienceMs).finally(() => instance.stop().then(() => app.close()))
    },
  }
}
