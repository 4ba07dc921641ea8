import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { assayIn, clean, createIo, floating, makeFolder } from '../testing/captured-io.ts'
import { createBoundary } from './boundary.ts'
import { createProjectFinder } from './find-project.ts'
import { roleOf } from './scope.ts'

const find = (folder: string, profile = 'default') =>
  createProjectFinder({ foundryProfile: profile, boundary: createBoundary({ paths: ['.'] }, createIo(folder)) })(folder)
const scanned = async (folder: string, ...words: string[]) =>
  JSON.parse((await assayIn(folder, ['scan', '-f', 'json', ...words])).out) as {
    project: { kind: string }
    files: { path: string; diagnostics: { code: string }[] }[]
    missingImports: { wanted: string }[]
  }
const paths = async (folder: string, ...words: string[]) =>
  (await scanned(folder, ...words)).files.map(({ path }) => path)

describe('Foundry', () => {
  const toml = [
    '# comment with [brackets] = "and strings"',
    '[profile.default]',
    'src = "contracts"',
    "test = 'spec' # where tests are",
    'libs = ["vendor"]',
    'remappings = [',
    '  "@tokens/=vendor/tokens/src/", # first',
    '  "ctx:@tokens/=vendor/other/",',
    ']',
    '[profile.ci]',
    'src = "ci-src"',
    '[fmt]',
    'src = "not this"',
  ].join('\n')

  test('keys of the profile over those of default', () => {
    const root = makeFolder({ 'foundry.toml': toml, 'contracts/A.sol': clean, 'ci-src/B.sol': clean })
    expect(find(root)).toMatchObject({
      kind: 'Foundry',
      sources: [join(root, 'contracts')],
      tests: [join(root, 'spec')],
      libraries: [join(root, 'vendor')],
    })
    expect(find(root).remappings.slice(0, 2)).toEqual([
      { context: '', prefix: '@tokens/', target: `${join(root, 'vendor/tokens/src')}/` },
      { context: join(root, 'ctx'), prefix: '@tokens/', target: `${join(root, 'vendor/other')}/` },
    ])
    expect(find(root, 'ci')).toMatchObject({ sources: [join(root, 'ci-src')], tests: [join(root, 'spec')] })
  })

  test('is found from below', () => {
    const root = makeFolder({ 'foundry.toml': '', 'src/deep/er/A.sol': clean, 'src/deep/package.json': '{}' })
    expect(find(join(root, 'src/deep/er'))).toMatchObject({ kind: 'Foundry', root })
  })

  test('only what is in src is reported; tests, scripts, mocks and the rest are not', async () => {
    const root = makeFolder({
      'foundry.toml': '',
      'src/Vault.sol': clean,
      'src/mocks/Token.sol': floating,
      'src/MockOracle.sol': floating,
      'src/Vault.t.sol': floating,
      'test/Vault.sol': floating,
      'script/Deploy.sol': floating,
      'certora/Spec.sol': floating,
      'attic/Old.sol': floating,
      'lib/x/src/X.sol': floating,
      'out/Y.sol': floating,
    })
    expect(await paths(root)).toEqual(['src/Vault.sol'])
    const { out } = await assayIn(root, ['scan'])
    expect(out).toContain('not reported: ')
    for (const words of ['2 tests', '3 mocks', '1 script', '1 file outside the sources']) expect(out).toContain(words)
    expect((await paths(root, '--scope', 'project')).length).toBe(8)
    expect(await paths(root, '--scope', 'all')).toContain('lib/x/src/X.sol')
  })

  test('a folder of tests that is named is meant', async () => {
    const root = makeFolder({
      'foundry.toml': '',
      'src/A.sol': clean,
      'test/A.t.sol': floating,
      'test/unit/B.sol': clean,
    })
    expect(await paths(root, 'test/A.t.sol')).toEqual(['test/A.t.sol'])
    expect(await paths(root, 'test/unit')).toEqual(['test/unit/B.sol'])
  })

  const using = (path: string) => `pragma solidity 0.8.28;\nimport "${path}";\ncontract A is Lib {}\n`
  const library = 'pragma solidity 0.8.28;\nabstract contract Lib {}\n'

  test.each([
    ['by name into src', 'lib/solmate/src/Lib.sol', 'solmate/Lib.sol', {}],
    ['by name into contracts', 'lib/oz/contracts/Lib.sol', 'oz/Lib.sol', {}],
    ['by name with the folder', 'lib/oz/contracts/Lib.sol', 'oz/contracts/Lib.sol', {}],
    [
      'by what the library maps for itself',
      'lib/oz/contracts/Lib.sol',
      '@oz/Lib.sol',
      { 'lib/oz/remappings.txt': '@oz/=contracts/' },
    ],
    ['by a library of a library', 'lib/a/lib/b/src/Lib.sol', 'b/Lib.sol', {}],
    ['by remappings.txt', 'vendor/z/Lib.sol', 'z/Lib.sol', { 'remappings.txt': 'z/=vendor/z/\n' }],
    [
      'as Soldeer lays it out',
      'dependencies/@oz-5.0.2/Lib.sol',
      '@oz-5.0.2/Lib.sol',
      { 'remappings.txt': '@oz-5.0.2/=dependencies/@oz-5.0.2/' },
    ],
    ['from node_modules', 'node_modules/@oz/c/Lib.sol', '@oz/c/Lib.sol', {}],
    ['from the root of the project', 'src/base/Lib.sol', 'src/base/Lib.sol', {}],
  ])('an import resolves %s', async (_how, place, wanted, more) => {
    const root = makeFolder({ 'foundry.toml': '', 'src/A.sol': using(wanted), [place]: library, ...more })
    const { files, missingImports } = await scanned(root, 'src/A.sol')
    expect(missingImports).toEqual([])
    expect(files).toMatchObject([{ path: 'src/A.sol', diagnostics: [] }])
  })

  test('a context decides between two libraries of one name', async () => {
    const base = (mark: string) => `pragma solidity 0.8.28;\nabstract contract Lib { uint256 public ${mark}; }\n`
    const root = makeFolder({
      'foundry.toml': '[profile.default]\nremappings = ["x/=lib/one/", "src/b:x/=lib/two/"]\n',
      'src/a/A.sol': using('x/Lib.sol'),
      'src/b/B.sol': using('x/Lib.sol').replace('contract A', 'contract B').replace('{}', '{ uint256 public mark; }'),
      'lib/one/Lib.sol': base('other'),
      'lib/two/Lib.sol': base('mark'),
    })
    // Only where the second library is meant does B shadow what it inherits.
    const { out } = await assayIn(root, ['scan', '-q'])
    expect(out).toContain('src/b/B.sol')
    expect(out).toMatch(/shadow|SWC-119/i)
  })

  test('a missing library is reported in one line with what helps', async () => {
    const root = makeFolder({
      'foundry.toml': '',
      'src/A.sol': using('solady/Lib.sol'),
      'src/B.sol': using('solady/Lib.sol'),
    })
    const { out } = await assayIn(root, ['scan'])
    expect(out).toMatch(/Imports not found: solady\..*`forge\s+install`/s)
    expect(out).not.toContain('is not among the given files')
  })

  test('settings that are no TOML are reported, and the files are scanned all the same', async () => {
    const root = makeFolder({ 'foundry.toml': '[profile.default\n', 'src/A.sol': clean })
    const { out, err, code } = await assayIn(root, ['scan', '-f', 'json'])
    expect(code).toBe(2)
    expect(err).toMatch(/foundry\.toml: it is not valid TOML/)
    expect(JSON.parse(out).files[0]).toMatchObject({ path: 'src/A.sol', success: true })
  })
})

test.each([
  ['contracts/TestContracts/A.sol', 'test'],
  ['contracts/echidna-proxies/A.sol', 'test'],
  ['contracts/fuzzing/A.sol', 'test'],
  ['contracts/certora/harness/A.sol', 'mock'],
  ['contracts/attacks/A.sol', 'mock'],
  ['contracts/attack-contracts/A.sol', 'mock'],
  ['contracts/UsageExamples/A.sol', 'mock'],
  ['contracts/TESTContracts/A.sol', 'test'],
  ['contracts/VaultExample.sol', 'mock'],
  ['contracts/vendor/A.sol', 'vendored'],
  ['contracts/examples/A.sol', 'mock'],
  ['contracts/LQTYTokenTester.sol', 'test'],
  ['contracts/VaultTest.sol', 'test'],
  ['contracts/attestations/A.sol', 'product'],
  ['contracts/latest/Contest.sol', 'product'],
  ['contracts/protest/Tester.sol', 'product'],
])('%s is %s', (path, role) => {
  const root = makeFolder({ 'hardhat.config.js': 'module.exports = {}', [path]: clean })
  expect(roleOf(join(root, path), root, find(root))).toBe(role)
})

describe('Hardhat', () => {
  const config = (paths: string) =>
    `import { x } from './explode'\nthrow new Error('must not run')\n// paths: { sources: "comment" }\nexport default { solidity: "0.8.28", paths: ${paths} }`

  test.each([
    ['{ sources: "./src" }', 'src'],
    ["{ tests: 'spec', sources: `src` }", 'src'],
    ['{ sources: { solidity: ["./src"] } }', 'src'],
    ['{ sources: process.env.SRC }', 'contracts'],
  ])('paths: %s', (written, expected) => {
    const root = makeFolder({ 'hardhat.config.ts': config(written), 'src/A.sol': clean, 'contracts/A.sol': clean })
    expect(find(root)).toMatchObject({ kind: 'Hardhat', sources: [join(root, expected)] })
  })

  test('packages are found by the rules of Node, also above the project in its workspace', async () => {
    const root = makeFolder({
      'package.json': '{"workspaces": ["app"]}',
      'node_modules/@oz/contracts/token/Lib.sol':
        'pragma solidity 0.8.28;\nimport "./Base.sol";\nabstract contract Lib is Base {}',
      'node_modules/@oz/contracts/token/Base.sol': 'pragma solidity 0.8.28;\nabstract contract Base {}',
      'app/hardhat.config.js': 'module.exports = {}',
      'app/contracts/A.sol':
        'pragma solidity 0.8.28;\nimport {Lib} from "@oz/contracts/token/Lib.sol";\ncontract A is Lib {}',
    })
    const { files, missingImports, project } = await scanned(join(root, 'app'))
    expect([missingImports, project.kind]).toEqual([[], 'hardhat'])
    expect(files.map(({ path }) => path)).toEqual(['contracts/A.sol'])
  })
})

test('Truffle: the folder of contracts from its settings', () => {
  const root = makeFolder({
    'truffle-config.js': "module.exports = { contracts_directory: './sol', compilers: {} }",
    'sol/A.sol': clean,
  })
  expect(find(root)).toMatchObject({ kind: 'Truffle', sources: [join(root, 'sol')] })
})

describe('Soldeer', () => {
  const product = 'pragma solidity 0.8.28;\nimport "@oz-5.0.2/Lib.sol";\ncontract A is Lib {}\n'
  const library = 'pragma solidity ^0.8.0;\nabstract contract Lib {}\n'

  test('by itself: soldeer.toml marks the project, what lies in dependencies is read by its remappings and not reported', async () => {
    const root = makeFolder({
      'soldeer.toml': '[dependencies]\n"@oz" = "5.0.2"\n',
      'remappings.txt': '@oz-5.0.2/=dependencies/@oz-5.0.2/\n',
      'contracts/A.sol': product,
      'dependencies/@oz-5.0.2/Lib.sol': library,
    })
    expect(find(join(root, 'contracts'))).toMatchObject({ root, libraries: [join(root, 'dependencies')] })
    const { files, missingImports } = await scanned(root)
    expect(missingImports).toEqual([])
    expect(files.map(({ path }) => path)).toEqual(['contracts/A.sol'])
  })

  test('in a Foundry project that names no remappings: by the name of the folder, with its version and without', async () => {
    const root = makeFolder({
      'foundry.toml': '[profile.default]\nlibs = ["dependencies"]\n[dependencies]\n"@oz" = "5.0.2"\n',
      'src/A.sol': product,
      'src/B.sol': product.replace('@oz-5.0.2/', '@oz/').replace('contract A', 'contract B'),
      'dependencies/@oz-5.0.2/Lib.sol': library,
    })
    const { files, missingImports } = await scanned(root)
    expect(missingImports).toEqual([])
    expect(files.map(({ path }) => path)).toEqual(['src/A.sol', 'src/B.sol'])
  })
})

test('Remix: downloads lie in .deps', async () => {
  const root = makeFolder({
    'contracts/A.sol':
      'pragma solidity 0.8.28;\nimport "@oz/Lib.sol";\nimport "https://github.com/o/r/blob/main/L2.sol";\ncontract A {}',
    '.deps/npm/@oz/Lib.sol': clean,
    '.deps/github/o/r/blob/main/L2.sol': 'pragma solidity 0.8.28;',
  })
  const { missingImports, project } = await scanned(root)
  expect([missingImports, project.kind]).toEqual([[], 'remix'])
})

test('projects in one repository each go by their own settings', async () => {
  const root = makeFolder({
    '.git/HEAD': '',
    'a/foundry.toml': '[profile.default]\nsrc = "code"',
    'a/code/A.sol': clean,
    'a/elsewhere/X.sol': floating,
    'b/hardhat.config.js': '',
    'b/contracts/B.sol': clean,
    'b/test/T.sol': floating,
  })
  expect(await paths(root)).toEqual(['a/code/A.sol', 'b/contracts/B.sol'])
})

describe('assay.config.json', () => {
  const files = { 'src/A.sol': floating, 'src/old/B.sol': floating, 'foundry.toml': '' }

  test('settings hold from the project downwards, and what is typed wins', async () => {
    const root = makeFolder({
      ...files,
      'assay.config.json': '{"$schema":"x","exclude":["src/old"],"failOn":"never","limit":3}',
    })
    expect(await paths(root)).toEqual(['src/A.sol'])
    expect((await assayIn(join(root, 'src'), ['scan'])).code).toBe(0)
    expect((await assayIn(root, ['scan', '--fail-on', 'high'])).code).toBe(1)
  })

  test.each([
    ['{"exclud": []}', 'there is no setting "exclud". Did you mean "exclude"?'],
    ['{"failOn": "hihg"}', '"failOn" must be one of critical, high, medium, low, info, never; it is "hihg".'],
    ['{"exclude": "src"}', '"exclude" must be a list of texts.'],
    ['{"limit": "3"}', '"limit" must be a number.'],
    ['{"noAdvisories": 1}', '"noAdvisories" must be true or false.'],
    ['[]', 'it must hold one object.'],
    ['{', 'JSON'],
  ])('%s: 2 and why', async (text, reason) => {
    const { code, err } = await assayIn(makeFolder({ ...files, 'assay.config.json': text }), ['scan'])
    expect(code).toBe(2)
    expect(err).toContain(reason)
  })

  test('--include and --exclude: names at any depth, folders, patterns', async () => {
    const root = makeFolder(files)
    expect(await paths(root, '--exclude', 'B.sol')).toEqual(['src/A.sol'])
    expect(await paths(root, '--exclude', 'src/old/')).toEqual(['src/A.sol'])
    expect(await paths(root, '--include', 'src/*/*.sol')).toEqual(['src/old/B.sol'])
  })
})

describe('copies of a test runner, without settings', () => {
  const console = `pragma solidity ^0.8.0;
library console {
    function _send(bytes memory data) private view { address(0x000000000000000000636F6e736F6c652e6c6f67).staticcall(data); }
    function log(uint256 n) internal view { _send(abi.encodeWithSignature("log(uint256)", n)); }
}
`
  const files = { 'contracts/Box.sol': clean, 'contracts/debug/console.sol': console }

  test('are read, not reported, and counted', async () => {
    const root = makeFolder(files)
    expect(await paths(root)).toEqual(['contracts/Box.sol'])
    expect((await assayIn(root, ['scan'])).out).toContain('not reported: 1 vendored file')
    expect(await paths(root, '--scope', 'project')).toHaveLength(2)
  })

  test('are reported where they were typed, or where there is nothing else', async () => {
    const root = makeFolder(files)
    expect(await paths(root, 'contracts/debug/console.sol')).toHaveLength(1)
    expect(await paths(root, 'contracts/debug')).toHaveLength(1)
  })
})

describe('libraries of a project in a folder below, without settings', () => {
  const files = {
    'Streaming/src/Box.sol': clean,
    'Streaming/src/lib/Other.sol': clean.replaceAll('Box', 'Other'),
    'Streaming/lib/tokens/src/Coin.sol': clean.replaceAll('Box', 'Coin'),
  }
  const own = ['Streaming/src/Box.sol', 'Streaming/src/lib/Other.sol']

  test('are read and not reported, as by the service', async () => {
    const root = makeFolder(files)
    expect(await paths(root)).toEqual(own)
    expect(await paths(root, 'Streaming')).toEqual(own)
    expect(await paths(root, 'Streaming/src')).toEqual(own)
    expect(await paths(root, '--scope', 'project')).toHaveLength(3)
  })

  test('are reported where they were typed', async () => {
    const root = makeFolder(files)
    expect(await paths(root, 'Streaming/lib')).toEqual(['Streaming/lib/tokens/src/Coin.sol'])
    expect(await paths(root, 'Streaming/src', 'Streaming/lib/tokens')).toHaveLength(3)
  })
})

describe('imports from lib in a project without settings of a tool', () => {
  test.each([
    ['by the name of the folder', 'guards/Guard.sol', 'lib/guards/src/Guard.sol'],
    ['from its contracts', 'guards/Guard.sol', 'lib/guards/contracts/Guard.sol'],
    ['without the version of Soldeer', 'guards/Guard.sol', 'dependencies/guards-1.2.0/src/Guard.sol'],
    ['from a library of a library', 'guards/Guard.sol', 'lib/tokens/lib/guards/Guard.sol'],
    ['by the full path', 'lib/guards/src/Guard.sol', 'lib/guards/src/Guard.sol'],
  ])('are found %s, as by the service', async (_name, imported, location) => {
    const root = makeFolder({
      'package.json': '{}',
      'src/Box.sol': `import "${imported}";\n${clean}`,
      [location]: 'contract Guard {}',
    })
    const { missingImports } = await scanned(root)
    expect(missingImports).toEqual([])
  })
})

describe('files of a well-known library, copied into the sources', () => {
  const context = `// SPDX-License-Identifier: MIT
pragma solidity 0.8.17;
abstract contract Context {
    // who calls
    function _msgSender() internal view virtual returns (address) { return msg.sender; }
    function _msgData() internal view virtual returns (bytes calldata) { return msg.data; }
}
`
  const own = { 'contracts/A.sol': clean, 'contracts/B.sol': clean.replaceAll('Box', 'Other') }

  test('are read and not reported, whatever their comments and pragma say', async () => {
    const root = makeFolder({ ...own, 'contracts/base/Context.sol': context })
    expect(await paths(root)).toEqual(['contracts/A.sol', 'contracts/B.sol'])
    const { out } = await assayIn(root, ['scan'])
    expect(out.split('\n')[0]).toContain(', 1 vendored library file left out')
    expect(out).toContain('not reported: 1 vendored file')
  })

  test('are reported once their code is another one', async () => {
    const root = makeFolder({
      ...own,
      'contracts/base/Context.sol': context.replace('return msg.sender', 'return tx.origin'),
    })
    expect(await paths(root)).toHaveLength(3)
  })

  test('are reported where they are the project', async () => {
    expect(await paths(makeFolder({ 'contracts/Context.sol': context }))).toHaveLength(1)
    const root = makeFolder({ 'contracts/A.sol': clean, 'contracts/Context.sol': context })
    expect(await paths(root)).toHaveLength(2)
  })
})

describe('a package of the same repository, found by the name in its package.json', () => {
  const product = 'pragma solidity 0.8.28;\nimport "@acme/math/contracts/Lib.sol";\ncontract A is Lib {}\n'
  const repository = {
    '.git/HEAD': '',
    'packages/app/hardhat.config.js': '',
    'packages/app/contracts/A.sol': product,
    'packages/maths/package.json': '{"name": "@acme/math"}',
    'packages/maths/contracts/Lib.sol': 'pragma solidity 0.8.28;\nabstract contract Lib {}\n',
  }

  test('not by the name of its folder', async () => {
    const { missingImports } = await scanned(join(makeFolder(repository), 'packages/app'))
    expect(missingImports).toEqual([])
    const renamed = { ...repository, 'packages/maths/package.json': '{"name": "@acme/other"}' }
    expect((await scanned(join(makeFolder(renamed), 'packages/app'))).missingImports).toHaveLength(1)
  })

  test('never outside of the repository', async () => {
    const { '.git/HEAD': head = '', ...others } = repository
    const root = makeFolder({ ...others, 'packages/app/.git/HEAD': head })
    expect((await scanned(join(root, 'packages/app'))).missingImports).toHaveLength(1)
  })

  test('a package.json that is not valid names nothing', async () => {
    const root = makeFolder({ ...repository, 'packages/broken/package.json': '{"name": 5' })
    expect((await scanned(join(root, 'packages/app'))).missingImports).toEqual([])
  })
})

describe('Brownie', () => {
  const config = [
    'project_structure:',
    '  contracts: code',
    '  tests: spec',
    'compiler:',
    '  solc:',
    '    version: 0.8.19',
    '    remappings:',
    '      - "@oz=vendor-packages/oz"',
    '      - "@home=OpenZeppelin/openzeppelin-contracts@4.9.0"',
  ].join('\n')
  const product = 'pragma solidity 0.8.28;\nimport "@oz/Lib.sol";\nimport "@home/X.sol";\ncontract A is Lib {}\n'

  test('folders, compiler and remappings from its settings', async () => {
    const root = makeFolder({
      'brownie-config.yaml': config,
      'code/A.sol': product,
      'spec/T.sol': floating,
      'build/B.sol': floating,
      'vendor-packages/oz/Lib.sol': 'pragma solidity 0.8.28;\nabstract contract Lib {}\n',
    })
    expect(find(root)).toMatchObject({ kind: 'Brownie', sources: [join(root, 'code')], compilers: ['0.8.19'] })
    const { files, missingImports, project } = await scanned(root)
    expect([files.map(({ path }) => path), project.kind]).toEqual([['code/A.sol'], 'brownie'])
    // Packages lie in the home folder, which no settings file leads to.
    expect(missingImports).toMatchObject([{ wanted: '@home/X.sol' }])
    expect((await assayIn(root, ['scan'])).out).toMatch(/brownie\s+pm\s+install/)
  })

  test.each([
    ['not valid', 'a: [', 'it cannot be read'],
    ['aliases', `a: &a [x]\nb: [${'*a, '.repeat(9)}]`, 'it cannot be read'],
  ])('2: %s', async (_what, text, reason) => {
    const root = makeFolder({ 'brownie-config.yml': text, 'contracts/A.sol': clean })
    const { code, err } = await assayIn(root, ['scan', '-f', 'json'])
    expect([code, err]).toEqual([2, expect.stringContaining(reason)])
  })
})

test('Ape: folder of contracts, and remappings into its cache', async () => {
  const root = makeFolder({
    'ape-config.yaml':
      'contracts_folder: src\nsolidity:\n  version: 0.8.20\n  import_remapping:\n    - "@oz=oz/4.9.0"\n',
    'src/A.sol': 'pragma solidity 0.8.28;\nimport "@oz/Lib.sol";\ncontract A is Lib {}\n',
    'src/.cache/oz/4.9.0/Lib.sol': 'pragma solidity 0.8.28;\nabstract contract Lib {}\n',
    'tests/T.sol': floating,
  })
  expect(find(root)).toMatchObject({ kind: 'Ape', sources: [join(root, 'src')], compilers: ['0.8.20'] })
  const { files, missingImports } = await scanned(root)
  expect([files.map(({ path }) => path), missingImports]).toEqual([['src/A.sol'], []])
})

test('settings of two tools in one folder: the project is both', async () => {
  const root = makeFolder({
    'foundry.toml': '[profile.default]\nsrc = "src"\nlibs = ["lib"]\n',
    'hardhat.config.ts': 'export default { solidity: "0.8.24", paths: { sources: "./contracts", tests: "./spec" } }',
    'contracts/A.sol': 'pragma solidity 0.8.28;\nimport "@acme/X.sol";\ncontract A {}\n',
    'src/B.sol': clean,
    'spec/T.sol': floating,
    'attic/C.sol': floating,
  })
  expect(find(root)).toMatchObject({ kind: 'Foundry', others: ['Hardhat'], compilers: ['0.8.24'] })
  expect(await paths(root)).toEqual(['contracts/A.sol', 'src/B.sol'])
  const { out } = await assayIn(root, ['scan'])
  expect(out).toContain('(Foundry and Hardhat)')
  expect(out).toMatch(/`forge\s+install`.*and\s+`npm\s+install`/s)
})
