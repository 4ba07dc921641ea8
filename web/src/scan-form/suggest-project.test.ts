import { expect, test } from 'vitest'
import { fileNameOf, suggestProject, unnamedFile } from './suggest-project.ts'

test.each([
  ['Vault.sol', 'Vault'],
  ['audit.zip', 'audit'],
  ['audit.tar.gz', 'audit'],
  ['core', 'core'],
])('%s belongs to %s', (name, project) => {
  expect(suggestProject({ name, source: 'contract Other {}' })).toBe(project)
})

test('a text without a name belongs to its last contract', () => {
  const source = 'interface IToken {}\nabstract contract Base {}\n  contract Bank is Base { /* contract */ }\n'
  expect(suggestProject({ name: unnamedFile, source })).toBe('Bank')
  expect(suggestProject({ name: unnamedFile, source: 'library Sums {}' })).toBe('')
  expect(fileNameOf(source)).toBe('Bank.sol')
  expect(fileNameOf('library Sums {}')).toBe(unnamedFile)
})
