import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../testing/captured-io.ts'
import { findRemappings } from './remappings.ts'

test('remappings.txt of the working folder', () => {
  const folder = makeFolder({
    'remappings.txt': '# ours\n@oz/=lib/oz/contracts/\n\nnonsense\nsolmate=lib/solmate/src\n',
  })
  expect(findRemappings([], folder)).toEqual(['@oz/=lib/oz/contracts/', 'solmate=lib/solmate/src'])
})

test('foundry.toml, over several lines, comments left out', () => {
  const toml =
    "[profile.default]\nsrc = 'src'\nremappings = [\n  \"@oz/=lib/oz/\",\n  # 'old/=gone/',\n  'ds/=lib/ds/src/',\n]\n"
  expect(findRemappings([], makeFolder({ 'foundry.toml': toml }))).toEqual(['@oz/=lib/oz/', 'ds/=lib/ds/src/'])
})

test('of the nearest folder above, told from the working folder', () => {
  const folder = makeFolder({ 'remappings.txt': '@oz/=lib/oz/\n', 'src/a.sol': '' })
  expect(findRemappings([], join(folder, 'src'))).toEqual(['@oz/=../lib/oz/'])
})

test('given ones replace those found: as text or as a file', () => {
  const folder = makeFolder({ 'remappings.txt': 'x/=y/\n', 'config/maps.txt': 'a/=../lib/a/\n' })
  expect(findRemappings(['b/=lib/b/'], folder)).toEqual(['b/=lib/b/'])
  expect(findRemappings(['config/maps.txt'], folder)).toEqual(['a/=lib/a/'])
  expect(() => findRemappings(['nothing'], folder)).toThrow('--remappings nothing: neither prefix=target nor a file.')
})

test('none: none', () => {
  expect(findRemappings([], makeFolder({}))).toEqual([])
})
