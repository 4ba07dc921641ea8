import { expect, test } from 'vitest'
import { assay } from '../testing/captured-io.ts'
import { importsOf } from './follow-imports.ts'

test('reads every form of import, none in comments', () => {
  const text = [
    'import "./A.sol";',
    "import {B, C as D} from './B.sol';",
    'import * as E from "e/E.sol";',
    'import "https://example.com/x.sol";',
    '// import "./no.sol";',
    '/* import "./no.sol"; */',
    'string constant important = "./no.sol";',
  ].join('\n')
  expect(importsOf(text)).toEqual(['./A.sol', './B.sol', 'e/E.sol', 'https://example.com/x.sol'])
})

const pragma = 'pragma solidity 0.8.28;\n'
const missing = (out: string) =>
  (JSON.parse(out).files as { path: string; diagnostics: { code: string }[] }[]).map(
    ({ path, diagnostics }) => [path, diagnostics.filter(({ code }) => code === 'import-missing').length] as const,
  )

test('an import on disk is found though it was not given, and is not reported', async () => {
  const files = {
    'src/A.sol': `${pragma}import "./b/B.sol";\ncontract A is B {}\n`,
    'src/b/B.sol': `${pragma}import "../C.sol";\ncontract B is C {}\n`,
    'src/C.sol': `${pragma}contract C {}\n`,
  }
  expect(missing((await assay(['scan', 'src/A.sol', '-f', 'json'], { files })).out)).toEqual([['src/A.sol', 0]])
  expect(missing((await assay(['scan', 'A.sol', '-f', 'json'], { files, folder: 'src' })).out)).toEqual([['A.sol', 0]])
})

test('--no-imports reads only what was given', async () => {
  const files = { 'A.sol': `${pragma}import "./B.sol";\ncontract A is B {}\n`, 'B.sol': `${pragma}contract B {}\n` }
  expect(missing((await assay(['scan', 'A.sol', '-f', 'json', '--no-imports'], { files })).out)).toEqual([['A.sol', 1]])
})

test('remappings lead into folders that are not walked', async () => {
  const files = {
    'remappings.txt': 'vault/=lib/vault/src/\n',
    'src/A.sol': `${pragma}import {B} from "vault/B.sol";\ncontract A is B {}\n`,
    'lib/vault/src/B.sol': `${pragma}contract B {}\n`,
  }
  expect(missing((await assay(['scan', '.', '-f', 'json'], { files })).out)).toEqual([['src/A.sol', 0]])
})

test('circles and missing files end', async () => {
  const files = {
    'A.sol': `${pragma}import "./B.sol";\nimport "./Gone.sol";\ncontract A {}\n`,
    'B.sol': `${pragma}import "./A.sol";\ncontract B {}\n`,
  }
  expect(missing((await assay(['scan', 'A.sol', '-f', 'json'], { files })).out)).toEqual([['A.sol', 1]])
})
