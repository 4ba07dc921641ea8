import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outline } from '@assay/engine'
import { describe, expect, test } from 'vitest'
import { findPackages, isInstalled, loadPackages } from './packages.ts'

const patience = 120_000

/** What is packed, what begins a slot, and what comes after it. */
const shapes = `pragma solidity ^0.8.0;
type Price is uint96;
enum Kind { A, B, C }
interface Feed { function read() external view returns (uint256); }
contract Base { uint8 first; address owner; uint256[50] private __gap; }
library Lib { struct Inner { uint128 a; uint64 b; bool c; } }
contract Target is Base {
  using Lib for Lib.Inner;
  uint256 constant IGNORED = 1;
  uint256 immutable fixedAt = 2;
  Kind kind;
  Price price;
  bytes4 tag;
  bool[33] flags;
  uint16[7] small;
  Lib.Inner inner;
  Lib.Inner[3] inners;
  mapping(address => Lib.Inner) byOwner;
  string name;
  bytes data;
  uint24[] list;
  function (uint256) external returns (bool) hook;
  function (uint256) internal returns (bool) own;
  Feed feed;
  bytes17 half;
  int128 last;
}`

const fromLibrary = (version: string, paths: readonly string[], target: string) => ({ version, paths, target })
const libraries = [
  fromLibrary('4', ['token/ERC20/ERC20.sol', 'access/Ownable.sol'], 'ERC20, Ownable'),
  fromLibrary('4', ['token/ERC721/ERC721.sol', 'security/ReentrancyGuard.sol'], 'ERC721, ReentrancyGuard'),
  fromLibrary('5', ['token/ERC20/ERC20.sol', 'utils/Pausable.sol'], 'ERC20, Pausable'),
  fromLibrary('5', ['token/ERC1155/ERC1155.sol', 'access/Ownable.sol'], 'ERC1155, Ownable'),
]

describe.skipIf(!isInstalled())('storage lies where the compiler puts it', () => {
  test('packing, structs, arrays, functions, gaps', () => compare({ 'T.sol': shapes }, 'Target'), patience)

  test(
    'a layout that begins elsewhere',
    () =>
      compare(
        { 'T.sol': shapes.replace('contract Target is Base', 'contract Target is Base layout at 0x10 + 1') },
        'Target',
      ),
    patience,
  )

  test.each(libraries)(
    'OpenZeppelin $version: $target',
    async ({ version, paths, target }) => {
      const home = join(
        findPackages() ?? '',
        'node_modules',
        version === '5' ? '@openzeppelin/contracts' : `openzeppelin-${version}`,
      )
      const imports = paths.map((path) => `import "oz/${path}";`).join('\n')
      const text = `pragma solidity ^0.8.0;\n${imports}\nabstract contract Target is ${target} { uint64 a; uint256 b; bool c; }`
      const files: Record<string, string> = { 'T.sol': text }
      const read = (name: string): void => {
        for (const [, written = ''] of (files[name] ?? '').matchAll(/^import\b[^;"]*"([^"]+)";/gm)) {
          const path = written.startsWith('.') ? join(name, '..', written) : written
          if (files[path] !== undefined) continue
          files[path] = readFileSync(join(home, path.replace(/^oz\//, '')), 'utf8')
          read(path)
        }
      }
      read('T.sol')
      await compare(files, 'Target')
    },
    patience,
  )
})

async function compare(files: Readonly<Record<string, string>>, name: string): Promise<void> {
  const solc = (await loadPackages()).solc(8)
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(Object.entries(files).map(([path, content]) => [path, { content }])),
    settings: { evmVersion: 'cancun', outputSelection: { '*': { '*': ['storageLayout'] } } },
  }
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as {
    errors?: { severity: string; formattedMessage: string }[]
    contracts?: Record<
      string,
      Record<string, { storageLayout: { storage: { label: string; slot: string; offset: number }[] } }>
    >
  }
  expect(output.errors?.filter(({ severity }) => severity === 'error')).toEqual(output.errors ? [] : undefined)
  const theirs = output.contracts?.['T.sol']?.[name]?.storageLayout.storage ?? []
  const { contracts } = outline(Object.entries(files).map(([path, text]) => ({ path, text })))
  const computed = contracts.find((each) => each.name === name)
  expect(computed?.unreadBases).toEqual([])
  expect(theirs.length).toBeGreaterThan(0)
  expect(computed?.storage.map((entry) => [entry.name, entry.slot, entry.offset])).toEqual(
    theirs.map(({ label, slot, offset }) => [label, slot, offset]),
  )
}
