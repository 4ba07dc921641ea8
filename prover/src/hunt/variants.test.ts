/** Five forms of each harm that a search without a finding knows, and the same five fixed. */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { isInstalled, loadPackages } from '../packages.ts'
import { runTestsBeside } from '../testing/run-foundry-test.ts'
import { type HuntResult, hunt } from './hunt.ts'

const folder = fileURLToPath(new URL('../../fixtures-variants/', import.meta.url))
const path = 'src/A.sol'
const patience = 900_000
/** Calls decide, not the time that a busy machine takes for them. */
const options = { milliseconds: 900_000, calls: 150 }

type Version = 'vulnerable' | 'fixed'

const read = (name: string, version: Version): string => readFileSync(`${folder}${name}/${version}.sol`, 'utf8')

const huntIn = (name: string, version: Version): Promise<HuntResult> =>
  hunt([{ path, files: [{ path, text: read(name, version) }], remappings: [] }], options)

const expected: Record<string, [oracle: string, places: readonly string[]]> = {
  'answer-changed': [
    'answer-changed',
    ['Auction.bid', 'Ballroom.enter', 'Counter.add', 'Discount.register', 'Refunds.refund'],
  ],
  'argument-out-of-range': [
    'argument-out-of-range',
    ['Flags.set', 'Prices.quote', 'Registry.register', 'Treasury.setLevel', 'Votes.vote'],
  ],
  'call-smuggled': [
    'call-smuggled',
    ['Delegate.forward', 'Executor.execute', 'Guardian.act', 'Queue.run', 'Valve.relay'],
  ],
  'lock-bypassed': [
    'lock-bypassed',
    ['Denied.transfer', 'Listed.transfer', 'Paused.transfer', 'TimeLocked.transfer', 'Vested.transfer'],
  ],
  'role-claimed': ['role-taken', ['Council.elect', 'Fund.take', 'Gate.constructGate', 'Sale.claimAdmin', 'Store.open']],
}

describe.skipIf(!isInstalled())('five forms of a harm', () => {
  test('every folder is expected', () => {
    expect(readdirSync(folder).sort()).toEqual(Object.keys(expected).sort())
  })

  test.each(Object.entries(expected))(
    '%s: each form is executed, and its test holds until the source is fixed',
    async (name, [oracle, places]) => {
      const { reports } = await huntIn(name, 'vulnerable')
      const found = reports.filter((each) => each.oracle === oracle)
      expect(found.map((each) => `${each.contract}.${each.function}`).sort()).toEqual(places)
      const written = found.map(({ evidence }) => evidence.foundryTest?.text ?? '')
      const packages = await loadPackages()
      const on = (version: Version, texts: readonly string[]) =>
        runTestsBeside({ path, text: read(name, version) }, texts, packages)
      expect(await on('vulnerable', written)).toEqual(written.map(() => ({ holds: true })))
      const together = await on('fixed', written)
      // One that does not compile because its function is gone says nothing about the others.
      const isCompiled = !JSON.stringify(together).includes('does not compile')
      const runs = isCompiled ? together : (await Promise.all(written.map((text) => on('fixed', [text])))).flat()
      expect(runs).toEqual(written.map(() => expect.objectContaining({ holds: false })))
    },
    patience,
  )

  test.each(Object.keys(expected))(
    '%s: nothing is reported of the fixed forms',
    async (name) => {
      const { reports, searched } = await huntIn(name, 'fixed')
      expect(reports.map(({ oracle, evidence }) => `${oracle}: ${evidence.summary}`)).toEqual([])
      expect(searched.length).toBeGreaterThanOrEqual(5)
    },
    patience,
  )
})
