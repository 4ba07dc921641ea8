/**
 * How many calls a second the EVM of the prover makes, beside the one of Hardhat, for what a search does with a call: run it, read what it
 * compared, take it back. In CPU time of the process, so that other work on the machine changes little.
 *   npm run bench:evm -- [--edr <folder>]     folder: where `npm install @nomicfoundation/edr` was run; without it only the prover's own EVM
 */
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { compile } from '../prover/src/compile/compile.ts'
import { Machine } from '../prover/src/evm/machine.ts'
import { loadPackages } from '../prover/src/packages.ts'
import { cpuNow } from '../prover/src/search/budget.ts'
import { textTable } from './text-table.ts'

const { values } = parseArgs({ options: { edr: { type: 'string' } } })
const warmUpRounds = 200
const measuredMs = 4_000

const source = `pragma solidity 0.8.30;
contract Ledger {
  mapping(address => uint) public balances;
  uint public sum;
  function deposit() external payable { require(msg.value < 100 ether, "much"); balances[msg.sender] += msg.value; }
  function count(uint n) external { for (uint i = 0; i < n; i++) sum += i; }
}`

const caller = `0x${'a1'.repeat(20)}`
const ether = 10n ** 18n

interface Call {
  readonly data: string
  readonly value: bigint
}

/** One way to make a call and take it back. */
interface Contender {
  readonly name: string
  run(call: Call): Promise<void>
}

const packages = await loadPackages()
const result = compile([{ path: 'Ledger.sol', text: source }], packages)
if (!result.ok) throw new Error(result.error)
const code = `0x${result.compilation.contracts[0]?.creation.object}`
const selector = (signature: string): string =>
  `0x${Buffer.from(packages.evm.keccak(Buffer.from(signature)).subarray(0, 4)).toString('hex')}`
const countTo = (n: number): string => selector('count(uint256)') + n.toString(16).padStart(64, '0')

const calls: Readonly<Record<string, Call>> = {
  'a deposit': { data: selector('deposit()'), value: 1n },
  'a loop of 100': { data: countTo(100), value: 0n },
  'a loop of 1,000': { data: countTo(1_000), value: 0n },
}

const contenders = [...(await ownContenders()), ...(values.edr ? await edrContenders(values.edr) : [])]
const rows: string[][] = []
for (const { name, run } of contenders) {
  const figures: string[] = []
  for (const call of Object.values(calls)) figures.push(await perSecond(() => run(call)))
  rows.push([name, ...figures])
}
process.stdout.write(`${textTable(['calls per second of CPU time', ...Object.keys(calls)], rows)}\n`)

async function perSecond(run: () => Promise<void>): Promise<string> {
  const warmUntil = cpuNow() + measuredMs / 4
  for (let i = 0; i < warmUpRounds && cpuNow() < warmUntil; i++) await run()
  const started = cpuNow()
  let rounds = 0
  for (; cpuNow() - started < measuredMs; rounds++) await run()
  return ((rounds * 1000) / (cpuNow() - started)).toFixed(0)
}

async function ownContenders(): Promise<Contender[]> {
  const machine = await Machine.create(packages.evm)
  await machine.setBalance(caller, 1_000n * ether)
  const to = (await machine.run({ from: caller, data: code })).created ?? ''
  const base = machine.snapshot()
  const contender = (name: string, isUntraced: boolean): Contender => ({
    name,
    async run(call) {
      const outcome = await machine.run({ from: caller, to, ...call, isUntraced })
      if (!outcome.ok) throw new Error(outcome.error ?? 'failed')
      machine.restore(base)
    },
  })
  return [contender('prover: run, traced, restore', false), contender('prover: run, restore', true)]
}

interface EdrProvider {
  handleRequest(request: string): Promise<{ readonly data: string | { readonly result?: unknown } }>
}

/** As much of the package as is used; it has no interface below JSON-RPC. */
interface Edr {
  readonly EdrContext: new () => {
    registerProviderFactory(type: string, factory: unknown): Promise<void>
    createProvider(type: string, ...settings: object[]): Promise<EdrProvider>
  }
  readonly ContractDecoder: new () => object
  readonly L1_CHAIN_TYPE: string
  l1ProviderFactory(): unknown
  l1GenesisState(hardfork: number): object[]
  l1HardforkFromString(name: string): number
}

async function startEdr(folder: string): Promise<EdrProvider> {
  const edr = createRequire(join(resolve(folder), 'package.json'))('@nomicfoundation/edr') as Edr
  const context = new edr.EdrContext()
  await context.registerProviderFactory(edr.L1_CHAIN_TYPE, edr.l1ProviderFactory())
  const settings = {
    allowBlocksWithSameTimestamp: true,
    allowUnlimitedContractSize: true,
    bailOnCallFailure: true,
    bailOnTransactionFailure: true,
    chainId: 31_337n,
    coinbase: Buffer.from('c0'.repeat(20), 'hex'),
    defaultTransactionGasLimit: 8_000_000n,
    genesisState: [
      ...edr.l1GenesisState(edr.l1HardforkFromString('Cancun')),
      { address: Buffer.from(caller.slice(2), 'hex'), balance: 1_000n * ether },
    ],
    hardfork: 'Cancun',
    initialBaseFeePerGas: 0n,
    minGasPrice: 0n,
    mining: { autoMine: true, blockGasLimit: 30_000_000n, memPool: { order: 'Fifo' } },
    network: { genesisBlockGasLimit: 30_000_000n, genesisBlobGas: { gasUsed: 0n, excessGas: 0n } },
    networkId: 31_337n,
    initialParentBeaconBlockRoot: Buffer.alloc(32),
    observability: {},
    ownedAccounts: [],
    precompileOverrides: [],
  }
  const logger = { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback() {} }
  return context.createProvider(
    edr.L1_CHAIN_TYPE,
    settings,
    logger,
    { subscriptionCallback() {} },
    new edr.ContractDecoder(),
  )
}

async function edrContenders(folder: string): Promise<Contender[]> {
  const provider = await startEdr(folder)
  const callNode = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const answer = typeof data === 'string' ? JSON.parse(data) : data
    if (!('result' in answer)) throw new Error(`${method}: ${JSON.stringify(answer)}`)
    return answer.result
  }
  await callNode('hardhat_impersonateAccount', caller)
  const gas = `0x${(8_000_000).toString(16)}`
  const deployed = await callNode('eth_sendTransaction', { from: caller, data: code, gas, gasPrice: '0x0' })
  const { contractAddress: to } = (await callNode('eth_getTransactionReceipt', deployed)) as { contractAddress: string }
  const toTransaction = ({ data, value }: Call): object => ({
    from: caller,
    to,
    data,
    value: `0x${value.toString(16)}`,
    gas,
    gasPrice: '0x0',
  })
  return [
    {
      name: 'edr: snapshot, send, trace, revert',
      async run(call) {
        const snapshot = await callNode('evm_snapshot')
        const hash = await callNode('eth_sendTransaction', toTransaction(call))
        await callNode('debug_traceTransaction', hash, { disableMemory: true, disableStorage: true })
        await callNode('evm_revert', snapshot)
      },
    },
    {
      name: 'edr: trace of a call',
      run: async (call) =>
        void (await callNode('debug_traceCall', toTransaction(call), 'latest', {
          disableMemory: true,
          disableStorage: true,
        })),
    },
    {
      name: 'edr: snapshot, send, revert',
      async run(call) {
        const snapshot = await callNode('evm_snapshot')
        await callNode('eth_sendTransaction', toTransaction(call))
        await callNode('evm_revert', snapshot)
      },
    },
    { name: 'edr: call', run: async (call) => void (await callNode('eth_call', toTransaction(call), 'latest')) },
  ]
}
