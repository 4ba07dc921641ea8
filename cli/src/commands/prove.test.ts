import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInstalled } from '@assay/prover'
import { describe, expect, test } from 'vitest'
import { assayIn, makeFolder } from '../testing/captured-io.ts'

const patience = 240_000
const fixture = (name: string): string =>
  readFileSync(new URL(`../../../prover/fixtures/${name}/vulnerable.sol`, import.meta.url), 'utf8')

test('a folder without a file to prove is named, and exits with 2', async () => {
  const { code, out, err } = await assayIn(makeFolder({ 'notes.txt': '' }), ['prove'])
  expect(err).toBe('assay: .: no .sol files in this folder.\n')
  expect(out).toContain('0 findings')
  expect(code).toBe(2)
})

describe.skipIf(!isInstalled())('with the prover installed', () => {
  test(
    'tells the attack, writes its test, and exits with 1',
    async () => {
      const folder = makeFolder({ 'src/Stall.sol': fixture('unprotected-selfdestruct') })
      const { code, out } = await assayIn(folder, ['prove', 'src', '--write-tests', 'test'])
      expect(code).toBe(1)
      expect(out).toContain('src/Stall.sol:12  SWC-106 unprotected-selfdestruct  VERIFIED EXPLOIT')
      expect(out).toMatch(/control: the same steps without the flagged call: Stall keeps its code/)
      const [file = ''] = readdirSync(join(folder, 'test'))
      expect(file).toBe('Stall.unprotected-selfdestruct.12.t.sol')
      const written = readFileSync(join(folder, 'test', file), 'utf8')
      expect(written).toContain('import {Stall} from "../src/Stall.sol";')
      expect(written).toContain('contract StallUnprotectedSelfdestructTest {')
      expect(written).toMatch(/^ {8}\/\/ 1\. attacker: Stall\./m)
      expect(written).not.toContain('contract Stall {')
    },
    patience,
  )

  test(
    'files of the same name have a test each',
    async () => {
      const text = fixture('unprotected-selfdestruct')
      const folder = makeFolder({ 'src/a/Stall.sol': text, 'src/b/Stall.sol': text.replaceAll('Stall', 'Booth') })
      const { out } = await assayIn(folder, ['prove', 'src', '--write-tests', 'test'])
      const files = readdirSync(join(folder, 'test')).sort()
      expect(files).toEqual(['Stall.unprotected-selfdestruct.12-2.t.sol', 'Stall.unprotected-selfdestruct.12.t.sol'])
      const targets = files.map((file) => /^import .*;$/m.exec(readFileSync(join(folder, 'test', file), 'utf8'))?.[0])
      expect(targets.sort()).toEqual([
        'import {Booth} from "../src/b/Stall.sol";',
        'import {Stall} from "../src/a/Stall.sol";',
      ])
      for (const file of files) expect(out).toContain(`test: test/${file}`)
    },
    patience,
  )

  test(
    'with forge-std in the project the test uses it, and --poc writes a section of a report',
    async () => {
      const folder = makeFolder({
        'src/Stall.sol': fixture('unprotected-selfdestruct').replace(
          /pragma solidity [^;]+;/,
          'pragma solidity ^0.8.20;',
        ),
        'lib/forge-std/src/Test.sol': '',
      })
      await assayIn(folder, ['prove', 'src', '--write-tests', 'test', '--poc', 'audit'])
      const test = readFileSync(join(folder, 'test/Stall.unprotected-selfdestruct.12.t.sol'), 'utf8')
      expect(test).toContain('import {Test} from "forge-std/Test.sol";')
      expect(test).toContain('contract StallUnprotectedSelfdestructTest is Test {')
      expect(test).toContain('address internal attacker = makeAddr("assay attacker");')
      expect(test).not.toContain('AssayVm')
      const poc = readFileSync(join(folder, 'audit/Stall.unprotected-selfdestruct.12.md'), 'utf8')
      expect(poc).toMatch(/^# Unprotected selfdestruct in `Stall\./)
      expect(poc).toContain('\n1. attacker: Stall.')
      expect(poc).toContain('Control run (the same steps without the flagged call): Stall keeps its code')
      expect(poc).toContain('import {Stall} from "../src/Stall.sol";')
    },
    patience,
  )

  test(
    'without a path it proves what is in the folder',
    async () => {
      const folder = makeFolder({ 'src/Stall.sol': fixture('unprotected-selfdestruct') })
      const { code, out } = await assayIn(folder, ['prove'])
      expect(code).toBe(1)
      expect(out).toContain('src/Stall.sol:12  SWC-106 unprotected-selfdestruct  VERIFIED EXPLOIT')
    },
    patience,
  )

  test(
    'what has no attack is listed under its cause, and exits with 2 when nothing could be attempted',
    async () => {
      const text =
        '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract Empty { uint256 public count; }\n'
      const { code, out } = await assayIn(makeFolder({ 'src/Empty.sol': text }), ['prove'])
      expect(out).toContain(
        'Not attempted:\n  no attack is written for floating-pragma\n    src/Empty.sol:2  SWC-103 floating-pragma\n',
      )
      expect(code).toBe(2)
    },
    patience,
  )

  test(
    'imports are compiled too, and a scan with --prove carries the evidence',
    async () => {
      const [head = '', body = ''] = fixture('unprotected-selfdestruct').split('contract Stall {')
      const folder = makeFolder({
        'src/Base.sol': `${head}contract Base { uint256 public opened; }\n`,
        'src/Stall.sol': `${head}import "./Base.sol";\ncontract Stall is Base {${body.replace('uint256 public opened;', '')}`,
      })
      const { code, out } = await assayIn(folder, ['scan', 'src', '--prove', '--format', 'json'])
      expect(code).toBe(1)
      const results = JSON.parse(out) as unknown
      const evidence = JSON.stringify(results).match(/"evidence":\{"status":"confirmed"/g)
      expect(evidence).toHaveLength(1)
    },
    patience,
  )
})
