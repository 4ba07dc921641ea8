/** A project that compiles as it is: an npm package, or a folder of the corpus. */
export interface FixProject {
  readonly name: string
  /** The version in the settings of its repository. */
  readonly solc: string
  /** Whether the package brings these settings along. */
  readonly hasSettings?: true
  readonly settings?: object
  readonly sources: readonly string[]
  readonly dependencies: readonly string[]
}

const optimised = (runs: number): object => ({ optimizer: { enabled: true, runs } })

export const fixProjects: readonly FixProject[] = [
  {
    name: '@openzeppelin/contracts@4.9.6',
    solc: '0.8.13',
    settings: optimised(200),
    sources: [
      'access',
      'crosschain',
      'finance',
      'governance',
      'interfaces',
      'metatx',
      'proxy',
      'security',
      'token',
      'utils',
      'vendor',
    ],
    dependencies: [],
  },
  {
    name: 'solmate@6.8.0',
    solc: '0.8.15',
    settings: optimised(1_000_000),
    sources: ['src/auth', 'src/tokens', 'src/utils'],
    dependencies: [],
  },
  {
    name: '@aave/core-v3@1.19.3',
    solc: '0.8.10',
    settings: optimised(100_000),
    sources: ['contracts'],
    dependencies: [],
  },
  {
    name: '@uniswap/v3-periphery@1.4.4',
    solc: '0.7.6',
    settings: optimised(1_000_000),
    sources: ['contracts'],
    dependencies: [
      '@openzeppelin/contracts@3.4.2-solc-0.7',
      '@uniswap/lib@4.0.1-alpha',
      '@uniswap/v2-core@1.0.1',
      '@uniswap/v3-core@1.0.0',
      'base64-sol@1.0.1',
    ],
  },
  {
    name: '@uniswap/v2-periphery@1.1.0-beta.0',
    solc: '0.6.6',
    settings: optimised(999_999),
    sources: ['contracts'],
    dependencies: ['@uniswap/lib@1.1.1', '@uniswap/v2-core@1.0.0'],
  },
  {
    name: '@pooltogether/v4-core@1.3.1',
    solc: '0.8.6',
    settings: optimised(2000),
    sources: ['contracts'],
    dependencies: [
      '@openzeppelin/contracts@4.3.1',
      '@pooltogether/fixed-point@1.0.0',
      '@pooltogether/owner-manager-contracts@1.1.0',
      '@pooltogether/pooltogether-rng-contracts@1.5.2',
      '@pooltogether/yield-source-interface@1.4.0',
    ],
  },
  {
    name: '@account-abstraction/contracts@0.8.0',
    solc: '0.8.28',
    settings: { ...optimised(1_000_000), evmVersion: 'cancun', viaIR: true },
    sources: ['accounts', 'core', 'interfaces', 'legacy', 'utils'],
    dependencies: ['@openzeppelin/contracts@5.1.0', '@uniswap/v3-periphery@1.4.4'],
  },
  {
    name: '@maticnetwork/fx-portal@1.0.5',
    solc: '0.8.0',
    hasSettings: true,
    settings: optimised(9999),
    sources: ['contracts'],
    dependencies: ['@openzeppelin/contracts@4.2.0'],
  },
  {
    name: '@manifoldxyz/creator-core-solidity@3.0.0',
    solc: '0.8.19',
    hasSettings: true,
    settings: optimised(25),
    sources: ['contracts'],
    dependencies: [
      '@manifoldxyz/libraries-solidity@1.0.4',
      '@openzeppelin/contracts@4.8.1',
      '@openzeppelin/contracts-upgradeable@4.8.1',
    ],
  },
  {
    name: '@limitbreak/creator-token-contracts@1.1.2',
    solc: '0.8.9',
    settings: optimised(200),
    sources: ['contracts'],
    dependencies: ['@openzeppelin/contracts@4.8.3', 'erc721a@4.2.3'],
  },
  { name: '@uniswap/v3-core@1.0.1', solc: '0.7.6', settings: optimised(800), sources: ['contracts'], dependencies: [] },
  {
    name: '@erc725/smart-contracts@8.0.1',
    solc: '0.8.17',
    settings: optimised(200),
    sources: ['contracts'],
    dependencies: [
      '@openzeppelin/contracts@4.9.6',
      '@openzeppelin/contracts-upgradeable@4.9.6',
      'solidity-bytes-utils@0.8.3',
    ],
  },
  { name: 'clean/clean-makerdao-dss', solc: '0.6.12', sources: ['src'], dependencies: [] },
]
