/** The audited protocols that faults are made in: those of the corpus, packages of npm, folders that the caller names. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InputFile } from '@assay/engine'
import { isForTests } from '../../engine/src/model/index.ts'
import { corpusFolder } from '../corpus.ts'

/** Protocols for looking are shown in full; of the others only totals are ever printed. */
export type Half = 'looking' | 'counted'

export interface Protocol {
  readonly name: string
  readonly half: Half
  /** Its own files and all that they import, by the paths that imports name. */
  readonly files: readonly InputFile[]
  readonly own: ReadonlySet<string>
}

const cacheFolder = fileURLToPath(new URL('../../.cache/faults', import.meta.url))

/** Pinned, with the packages whose sources they import; unpacked, never installed or run. */
interface Package {
  readonly name: string
  readonly imports: readonly string[]
}

/** Their faults have been read one by one. */
const lookedAt: readonly Package[] = [
  {
    name: '@balancer-labs/v2-vault@3.0.1',
    imports: ['@balancer-labs/v2-interfaces@0.2.1', '@balancer-labs/v2-solidity-utils@3.0.1'],
  },
  {
    name: '@pooltogether/v4-core@1.3.1',
    imports: [
      '@openzeppelin/contracts@4.3.1',
      '@pooltogether/owner-manager-contracts@1.1.0',
      '@pooltogether/pooltogether-rng-contracts@1.5.2',
      '@pooltogether/yield-source-interface@1.4.0',
    ],
  },
  {
    name: '@mean-finance/dca-v2-core@3.4.0',
    imports: ['@openzeppelin/contracts@4.7.3', '@mean-finance/oracles@2.6.0', '@mean-finance/nft-descriptors@1.2.0'],
  },
  { name: '@sablier/v2-core@1.2.0', imports: ['@openzeppelin/contracts@5.0.2', '@prb/math@4.0.3'] },
  { name: '@primitivefi/rmm-core@2.0.0-beta.5', imports: [] },
  {
    name: '@perp/curie-contract@2.8.4',
    imports: [
      '@openzeppelin/contracts@3.4.1-solc-0.7-2',
      '@openzeppelin/contracts-upgradeable@3.4.2',
      '@perp/perp-oracle-contract@0.6.7',
      '@perp/voting-escrow@1.2.0',
      '@uniswap/v3-core@1.0.0',
      '@uniswap/v3-periphery@1.0.1',
    ],
  },
  { name: '@morpho-org/morpho-blue@1.0.0', imports: [] },
  { name: '@axelar-network/axelar-cgp-solidity@6.4.0', imports: ['@axelar-network/axelar-gmp-sdk-solidity@5.10.0'] },
  {
    name: '@1inch/st1inch@2.2.0',
    imports: [
      '@1inch/token-plugins@1.3.0',
      '@1inch/farming@3.2.0',
      '@1inch/solidity-utils@3.5.5',
      '@openzeppelin/contracts@5.0.1',
    ],
  },
  { name: '@sushiswap/core@1.4.2', imports: ['@openzeppelin/contracts@3.1.0'] },
  {
    name: '@gearbox-protocol/core-v3@1.52.1',
    imports: ['@openzeppelin/contracts@4.9.3', '@1inch/solidity-utils@2.2.27', '@gearbox-protocol/sdk-gov@1.10.3'],
  },
  {
    name: '@yield-protocol/vault-v2@0.18.5',
    imports: [
      '@yield-protocol/utils-v2@2.6.18',
      '@yield-protocol/yieldspace-tv@0.1.9-rc.2',
      'erc3156@0.4.8',
      'dss-interfaces@0.1.1',
    ],
  },
]

/** Nobody has seen which of their faults are found. Once one is read, its package moves to the list above. */
const onlyCounted: readonly Package[] = [
  { name: '@aave/aave-stake@1.0.4', imports: ['@aave/aave-token@1.0.4'] },
  { name: '@aave/governance-v2@1.0.0', imports: ['@aave/aave-token@1.0.4'] },
  { name: '@aave/protocol-v2@1.0.1', imports: ['@openzeppelin/contracts@3.1.0'] },
  { name: '@api3/airnode-protocol@0.15.0', imports: ['@openzeppelin/contracts@4.4.2'] },
  { name: '@connext/vector-contracts@0.2.3', imports: ['@openzeppelin/contracts@3.2.1-solc-0.7'] },
  { name: '@gammaswap/v1-core@1.2.2', imports: ['@openzeppelin/contracts@4.7.3'] },
  {
    name: '@gammaswap/v1-periphery@1.2.4',
    imports: ['@gammaswap/v1-core@1.2.2', '@openzeppelin/contracts@4.7.3'],
  },
  { name: '@maticnetwork/pos-portal@1.5.2', imports: ['@openzeppelin/contracts@3.1.0'] },
  {
    name: '@mstable/protocol@2.4.2',
    imports: ['@openzeppelin/contracts@4.3.3', '@openzeppelin/contracts-upgradeable@4.3.3'],
  },
  {
    name: '@pancakeswap/masterchef-v3@1.0.0',
    imports: ['@openzeppelin/contracts@4.8.1', '@chainlink/contracts@0.6.1'],
  },
  {
    name: '@sushiswap/trident@1.0.1',
    imports: ['@openzeppelin/contracts@4.7.3', '@rari-capital/solmate@6.2.0'],
  },
  {
    name: '@uma/core@2.62.2',
    imports: [
      '@openzeppelin/contracts@4.9.6',
      '@eth-optimism/contracts@0.5.40',
      '@maticnetwork/fx-portal@1.0.4',
      '@uniswap/lib@4.0.1-alpha',
      '@uniswap/v2-core@1.0.0',
      '@uniswap/v2-periphery@1.1.0-beta.0',
      '@uniswap/v3-core@1.0.0',
      '@uniswap/v3-periphery@1.0.1',
    ],
  },
  { name: '@uniswap/v2-core@1.0.1', imports: [] },
  { name: '@zoralabs/core@1.0.8', imports: ['@openzeppelin/contracts@3.2.0'] },
]

/** The corpus has no interfaces: the packages that hold those of a protocol. */
const completions: Readonly<Record<string, string>> = {
  'clean-aave-v3': '@aave/core-v3@1.19.3',
  'clean-safe': '@safe-global/safe-smart-account@1.5.0',
  'clean-uniswap-v3': '@uniswap/v3-core@1.0.1',
}

const bareName = (pinned: string): string => pinned.slice(0, pinned.lastIndexOf('@'))

const unpack = (pinned: string): string | undefined => {
  const folder = path.join(cacheFolder, 'packages', pinned.replace(/\//g, '+'))
  if (existsSync(folder)) return folder
  const fetched = `${folder}.fetched-${process.pid}`
  mkdirSync(fetched, { recursive: true })
  spawnSync('npm', ['pack', pinned, '--silent'], { cwd: fetched })
  const tarball = readdirSync(fetched).find((file) => file.endsWith('.tgz'))
  if (tarball) spawnSync('tar', ['xzf', tarball], { cwd: fetched })
  const inner = readdirSync(fetched, { withFileTypes: true }).find((entry) => entry.isDirectory())
  if (inner) renameSync(path.join(fetched, inner.name), folder)
  rmSync(fetched, { recursive: true, force: true })
  return inner && folder
}

const listSolidity = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => file.split(path.sep).join('/'))
    .filter((file) => file.endsWith('.sol') && !/(^|\/)(node_modules|artifacts|cache|build)\//.test(file))
    .sort()

const importText = /\bimport\b[^;"']*["']([^"']+)["']/g

/** The files that are asked for and all that they import; a file that imports what is not there is left out. */
const closeOverImports = (
  wanted: readonly string[],
  read: (file: string) => string | undefined,
): Map<string, string> => {
  const texts = new Map<string, string>()
  const imports = new Map<string, string[]>()
  const queue = [...wanted]
  for (const file of queue) {
    if (imports.has(file)) continue
    const text = read(file)
    const named = [...(text ?? '').matchAll(importText)].map(([, target = '']) =>
      target.startsWith('.') ? path.posix.join(path.posix.dirname(file), target) : target,
    )
    imports.set(file, named)
    if (text !== undefined) texts.set(file, text)
    queue.push(...named)
  }
  for (let size = -1; size !== texts.size; ) {
    size = texts.size
    for (const [file, named] of imports) if (named.some((each) => !texts.has(each))) texts.delete(file)
  }
  return texts
}

/** Where the paths that begin with a prefix are found; the first root that holds a file wins. */
interface Root {
  readonly prefix: string
  readonly folder: string
}

const readProtocol = (name: string, half: Half, roots: readonly Root[], own: readonly string[]): Protocol => {
  const read = (file: string): string | undefined => {
    for (const { prefix, folder } of roots)
      if (file.startsWith(prefix)) {
        const found = path.join(folder, file.slice(prefix.length))
        if (statSync(found, { throwIfNoEntry: false })?.isFile()) return readFileSync(found, 'utf8')
      }
    return undefined
  }
  const texts = closeOverImports(own, read)
  const files = [...texts].map(([file, text]) => ({ path: file, text })).sort((a, b) => (a.path < b.path ? -1 : 1))
  return { name, half, files, own: new Set(own.filter((file) => texts.has(file))) }
}

const isProduct = (file: string): boolean => !isForTests(file) && !/(^|\/)\w*(mock|example|harness)\w*[./]/i.test(file)

const readFolder = (name: string, folder: string): Protocol => {
  const own = listSolidity(folder).filter(isProduct)
  const completion = completions[name] && unpack(completions[name])
  const folders = [folder, path.join(folder, 'node_modules'), ...(completion ? [completion] : [])]
  return readProtocol(
    name,
    'looking',
    folders.map((each) => ({ prefix: '', folder: each })),
    own,
  )
}

const readPackage = ({ name, imports }: Package, half: Half): Protocol | undefined => {
  const roots = [name, ...imports].flatMap((pinned): Root[] => {
    const folder = unpack(pinned)
    return folder ? [{ prefix: `${bareName(pinned)}/`, folder }] : []
  })
  const home = roots.find(({ prefix }) => prefix === `${bareName(name)}/`)
  if (!home) return undefined
  const own = listSolidity(home.folder).filter(isProduct)
  return readProtocol(
    bareName(name),
    half,
    roots,
    own.map((file) => home.prefix + file),
  )
}

/** Protocols of the corpus and of npm, or only the folders given. */
export const readProtocols = (folders: readonly string[]): Protocol[] => {
  if (folders.length > 0)
    return folders.map((folder) => readFolder(path.resolve(folder).split(path.sep).slice(-2).join('/'), folder))
  const clean = path.join(corpusFolder(), 'clean')
  const names = existsSync(clean) ? readdirSync(clean).filter((name) => !name.includes('.')) : []
  return [
    ...names.sort().map((name) => readFolder(name, path.join(clean, name))),
    ...lookedAt.flatMap((each) => readPackage(each, 'looking') ?? []),
    ...onlyCounted.flatMap((each) => readPackage(each, 'counted') ?? []),
  ]
}
