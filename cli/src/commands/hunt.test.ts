import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled } from '@assay/prover'
import { describe, expect, test } from 'vitest'
import { assayIn, makeFolder } from '../testing/captured-io.ts'

const patience = 240_000
const fixture = (version: 'vulnerable' | 'fixed'): string =>
  readFileSync(new URL(`../../../prover/fixtures-hunt/open-role/${version}.sol`, import.meta.url), 'utf8')

describe.skipIf(!isInstalled())('with the prover installed', () => {
  test(
    'reports what it executed, writes its test, and exits with 1',
    async () => {
      const folder = makeFolder({ 'src/Desk.sol': fixture('vulnerable') })
      const { code, out } = await assayIn(folder, ['hunt', '--write-tests', 'test'])
      expect(code).toBe(1)
      expect(out).toContain('src/Desk.sol:12  Ownership taken over: Desk.hand()')
      expect(out).toContain('  1. attacker: Desk.hand(address) [attacker] → succeeds')
      expect(out).toContain('  control: setRate() by the same outsider before: the call is refused')
      expect(out).toContain('  test: test/Desk.role-taken.12.t.sol')
      expect(out).toMatch(/^1 exploit executed in 1 contract, \d+ calls\.$/m)
      const [file = ''] = readdirSync(join(folder, 'test'))
      expect(readFileSync(join(folder, 'test', file), 'utf8')).toContain('import {Desk} from "../src/Desk.sol";')
    },
    patience,
  )

  test(
    'as JSON, with exit code 0 where nothing was found',
    async () => {
      const folder = makeFolder({ 'src/Desk.sol': fixture('fixed') })
      const { code, out } = await assayIn(folder, ['hunt', 'src', '-f', 'json'])
      expect([code, JSON.parse(out)]).toEqual([
        0,
        {
          schema: 'urn:assay:hunt:1',
          tool: { name: 'Assay', version: expect.any(String) },
          calls: expect.any(Number),
          searched: [{ path: 'src/Desk.sol', contract: 'Desk' }],
          notSearched: [],
          reports: [],
        },
      ])
    },
    patience,
  )

  test(
    'one message for one cause, and exit code 2 where no contract could be searched',
    async () => {
      const text = 'pragma solidity ^0.8.20;\nimport "./Missing.sol";\ncontract A is Missing {}\n'
      const folder = makeFolder({ 'src/A.sol': text, 'src/B.sol': text })
      const { code, out } = await assayIn(folder, ['hunt'])
      expect(code).toBe(2)
      expect(out.match(/an import is missing: src\/Missing\.sol/g)).toHaveLength(1)
      expect(out).toContain('0 exploits executed in 0 contracts, 0 calls.')
    },
    patience,
  )
})

test('an empty folder has nothing to search, and nothing is installed for it', async () => {
  const { code, err } = await assayIn(makeFolder({}), ['hunt'])
  expect([code, err]).toEqual([2, expect.stringContaining('There is no contract to search.')])
})
