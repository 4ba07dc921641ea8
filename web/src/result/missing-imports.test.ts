import { scan } from '@assay/engine'
import { expect, test } from 'vitest'
import { missingImports } from './missing-imports.ts'

test('names each import that was not sent once, as the code writes it', () => {
  const { diagnostics } = scan(
    "pragma solidity 0.8.24;\nimport './Base.sol';\nimport {A} from '@lib/A.sol';\nimport {B} from '@lib/A.sol';\ncontract C is Base {}\n",
  )
  expect(missingImports({ diagnostics })).toEqual(['./Base.sol', '@lib/A.sol'])
})

test('a scan that read everything misses nothing', () => {
  expect(missingImports({})).toEqual([])
  expect(missingImports({ diagnostics: [{ code: 'analysis-note', message: 'The "budget" is used up.' }] })).toEqual([])
})
