/**
 * Files that are there to try out the product: tests, mocks, scripts, harnesses. They are read for meaning, but what they
 * inherit, override or wrap says nothing about the contracts that get deployed. The command and the service leave them out
 * of the report by the same table.
 */
export type TestRole = 'test' | 'mock' | 'script'

/** By a word of the folder's name: `TestContracts`, `z_mocks` and `echidna-tests` are tests, `attestations` is not. */
const roleByWord: ReadonlyMap<string, TestRole> = new Map([
  ...rolesOf('test', 'test tests testing tester testers testhelper testhelpers'),
  ...rolesOf('test', 'echidna medusa fuzz fuzzing fuzzer invariant invariants'),
  ...rolesOf('mock', 'mock mocks harness harnesses certora attack attacks attacker attackers example examples'),
])
/** By the whole name: `ScriptRegistry` may be a product. */
const roleByName: ReadonlyMap<string, TestRole> = new Map(rolesOf('script', 'script scripts'))
const endings: readonly (readonly [RegExp, TestRole])[] = [
  [/\.t\.sol$/i, 'test'],
  [/\.s\.sol$/i, 'script'],
]

function rolesOf(role: TestRole, words: string): [string, TestRole][] {
  return words.split(' ').map((word) => [word, role])
}

const wordsOf = (name: string): string[] =>
  name
    .split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase().replace(/\d+$/, ''))

/** What the name of a folder makes of the files in it; undefined: product. */
export const testRoleOfFolder = (name: string): TestRole | undefined =>
  roleByName.get(name.toLowerCase()) ??
  wordsOf(name)
    .map((word) => roleByWord.get(word))
    .find((role) => role !== undefined)

/** What a path makes of a file, by its folders and by the ending of its name; undefined: product. */
export const testRoleOf = (path: string): TestRole | undefined => {
  const parts = path.split('/')
  const byFolder = parts.slice(0, -1).map(testRoleOfFolder)
  return byFolder.find((role) => role !== undefined) ?? endings.find(([ending]) => ending.test(path))?.[1]
}

export const isForTests = (path: string): boolean => testRoleOf(path) !== undefined

const names: readonly (readonly [RegExp, TestRole])[] = [
  [/[a-z0-9](Tester|Test)\.sol$/, 'test'],
  [/(^Mock(?=[A-Z0-9_])|Mocks?\.sol$|Harness\.sol$|[a-z0-9]Example\.sol$)/, 'mock'],
]

/** What the name of a file says of it: `MockToken.sol`, wherever it lies. It is not reported; the analysis goes by the paths above alone. */
export const testRoleOfName = (path: string): TestRole | undefined => {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return testRoleOf(name) ?? names.find(([pattern]) => pattern.test(name))?.[1]
}
