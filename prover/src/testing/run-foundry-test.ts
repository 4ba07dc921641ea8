/**
 * Executes a written test as Foundry would: deploys the test contract, calls `setUp` and `testExploit`, and serves the cheat
 * codes that written tests use. Foundry itself is not needed, so every written test is checked wherever the prover runs.
 */
import { posix } from 'node:path'
import type { InputFile } from '@assay/engine'
import type { CompiledContract } from '../compile/compilation.ts'
import { compile } from '../compile/compile.ts'
import { addressOfWord, bytesToWord, hexToBytes } from '../evm/abi.ts'
import { createUndoState } from '../evm/undo-state.ts'
import type { Packages, RawAccount, RawAddress, RawMessage, RawState } from '../packages.ts'

export type TestRun = { readonly holds: true } | { readonly holds: false; readonly reason: string }

const cheatAddress = '0x7109709ecfa91a80626ff3989d68f67f5b1dd12d'
const sender = `0x${'18'.repeat(20)}`

const mainnet = ({ evm }: Packages): object => new evm.Common({ chain: evm.Mainnet, hardfork: 'cancun' })

export const runFoundryTest = async (text: string, packages: Packages): Promise<TestRun> => {
  const result = compile([{ path: 'attack.t.sol', text }], packages)
  if (!result.ok) return { holds: false, reason: `does not compile: ${result.error}` }
  const { contracts } = result.compilation
  const test = contracts.find(isTest)
  if (!test) return { holds: false, reason: 'has no test contract' }
  return new Runner(packages).run(test, contracts)
}

/**
 * Several tests of one target, as they lie beside it in a project: compiled together, so that the target is compiled once. A test
 * that does not compile is reported for all of them.
 */
export const runTestsBeside = async (
  target: InputFile,
  tests: readonly string[],
  packages: Packages,
): Promise<TestRun[]> => {
  const pathOf = (index: number): string => posix.join(posix.dirname(target.path), `attack${index}.t.sol`)
  const written = tests.map((text, index) => ({ path: pathOf(index), text }))
  const result = compile([target, ...written], packages)
  if (!result.ok) return tests.map(() => ({ holds: false, reason: `does not compile: ${result.error}` }))
  const { contracts } = result.compilation
  const runs: TestRun[] = []
  for (const { path } of written) {
    const test = contracts.find((each) => isTest(each) && each.path === path)
    runs.push(test ? await new Runner(packages).run(test, contracts) : { holds: false, reason: 'has no test contract' })
  }
  return runs
}

const isTest = ({ functions }: CompiledContract): boolean => functions.some(({ name }) => name === 'testExploit')

class Runner {
  readonly #packages: Packages
  readonly #state: RawState
  readonly #header: Record<string, unknown>
  readonly #hashes = new Map<bigint, Uint8Array>()
  #prank: { sender: RawAddress; origin: RawAddress } | undefined

  constructor(packages: Packages) {
    this.#packages = packages
    this.#state = createUndoState(packages.evm, mainnet(packages))
    this.#header = {
      number: 1n,
      timestamp: 1n,
      coinbase: this.#address(`0x${'c0'.repeat(20)}`),
      difficulty: 0n,
      prevRandao: new Uint8Array(32),
      gasLimit: 1n << 40n,
      baseFeePerGas: 0n,
      getBlobGasPrice: () => 1n,
    }
  }

  #address(text: string): RawAddress {
    return this.#packages.evm.createAddressFromString(text)
  }

  async run(test: CompiledContract, contracts: readonly CompiledContract[]): Promise<TestRun> {
    const { evm: raw } = this.#packages
    const common = mainnet(this.#packages)
    const blockchain = {
      getBlock: async (number: bigint) => ({
        hash: () => this.#hashes.get(BigInt(number)) ?? raw.keccak(Buffer.from(`block ${number} 0`)),
      }),
      putBlock: async () => undefined,
      shallowCopy: () => blockchain,
    }
    const evm = await raw.createEVM({
      common,
      stateManager: this.#state,
      blockchain,
      allowUnlimitedContractSize: true,
      allowUnlimitedInitCodeSize: true,
      customPrecompiles: [
        { address: this.#address(cheatAddress), function: (input: { data: Uint8Array }) => this.#cheat(input.data) },
      ],
    })
    // A call to an address without code is refused by compiled code before it is made.
    this.#state.codeStack.at(-1)?.set(cheatAddress, Uint8Array.from([0]))
    let testAddress = ''
    evm.events.on('beforeMessage', (message) => this.#impersonate(message, evm, testAddress))
    await this.#deal(sender, 1n << 96n)

    const send = async (to: string | null, data: string) => {
      await evm.journal.cleanup()
      this.#state.originalStorageCache.clear()
      const { createdAddress, execResult } = await evm.runCall({
        caller: this.#address(sender),
        origin: this.#address(sender),
        ...(to ? { to: this.#address(to) } : {}),
        data: hexToBytes(data),
        gasLimit: 1n << 32n,
        gasPrice: 1n,
        block: { header: this.#header },
      })
      const { exceptionError, returnValue } = execResult
      return {
        created: createdAddress?.toString() ?? '',
        error: exceptionError && reasonOf(exceptionError.error, returnValue),
      }
    }
    const linked = async (contract: CompiledContract): Promise<string> => {
      let code = contract.creation.object
      for (const libraries of Object.values(contract.creation.linkReferences)) {
        for (const [name, places] of Object.entries(libraries)) {
          const library = contracts.find((each) => each.name === name) as CompiledContract
          const { created } = await send(null, `0x${await linked(library)}`)
          for (const { start, length } of places)
            code = code.slice(0, 2 * start) + created.slice(2) + code.slice(2 * (start + length))
        }
      }
      return code
    }
    const deployed = await send(null, `0x${await linked(test)}`)
    if (deployed.error) return { holds: false, reason: `could not be deployed: ${deployed.error}` }
    testAddress = deployed.created
    await this.#deal(testAddress, 1n << 96n)
    for (const name of ['setUp()', 'testExploit()']) {
      const selector = Buffer.from(raw.keccak(Buffer.from(name)))
        .toString('hex')
        .slice(0, 8)
      const { error } = await send(testAddress, `0x${selector}`)
      if (error) return { holds: false, reason: `${name}: ${error}` }
    }
    return { holds: true }
  }

  #impersonate(message: RawMessage, evm: { _tx?: { origin: RawAddress } }, testAddress: string): void {
    if (!this.#prank || message.caller.toString() !== testAddress || message.to?.toString() === cheatAddress) return
    const { sender: who, origin } = this.#prank
    this.#prank = undefined
    message.caller = who
    if (evm._tx) evm._tx.origin = origin
    const account = this.#state.accountStack.at(-1)?.get(who.toString())
    if (!message.to && account) account.nonce++
  }

  async #deal(address: string, balance: bigint): Promise<void> {
    const account: RawAccount =
      this.#state.accountStack.at(-1)?.get(address) ?? this.#packages.evm.createAccount({ nonce: 0n, balance })
    account.balance = balance
    await this.#state.putAccount(this.#address(address), account)
  }

  async #cheat(data: Uint8Array): Promise<{ executionGasUsed: bigint; returnValue: Uint8Array }> {
    const selector = Buffer.from(data.subarray(0, 4)).toString('hex')
    const word = (index: number): bigint => bytesToWord(data.subarray(4 + 32 * index, 36 + 32 * index))
    const bytes = (offset: number, size: number): Uint8Array => data.subarray(4 + offset, 4 + offset + size)
    const name = Object.entries(this.#cheats).find(([signature]) => this.#selector(signature) === selector)
    if (!name) throw new Error(`unknown cheat code ${selector}`)
    return { executionGasUsed: 0n, returnValue: (await name[1](word, bytes)) ?? new Uint8Array() }
  }

  #selector(signature: string): string {
    return Buffer.from(this.#packages.evm.keccak(Buffer.from(signature)))
      .toString('hex')
      .slice(0, 8)
  }

  readonly #cheats: Record<
    string,
    (
      word: (index: number) => bigint,
      bytes: (offset: number, size: number) => Uint8Array,
    ) => Promise<Uint8Array | undefined>
  > = {
    'prank(address,address)': async (word) => {
      this.#prank = { sender: this.#address(addressOfWord(word(0))), origin: this.#address(addressOfWord(word(1))) }
      return undefined
    },
    'deal(address,uint256)': async (word) => {
      await this.#deal(addressOfWord(word(0)), word(1))
      return undefined
    },
    'etch(address,bytes)': async (word, bytes) => {
      const length = Number(word(2))
      await this.#state.putCode(this.#address(addressOfWord(word(0))), Uint8Array.from(bytes(96, length)))
      return undefined
    },
    // The chain of this EVM is that one already.
    'chainId(uint256)': async () => undefined,
    'warp(uint256)': async (word) => {
      this.#header.timestamp = word(0)
      return undefined
    },
    'roll(uint256)': async (word) => {
      this.#header.number = word(0)
      return undefined
    },
    'prevrandao(bytes32)': async (word) => {
      this.#header.prevRandao = wordToBytes(word(0))
      return undefined
    },
    'setBlockhash(uint256,bytes32)': async (word) => {
      this.#hashes.set(word(0), wordToBytes(word(1)))
      return undefined
    },
    'coinbase(address)': async (word) => {
      this.#header.coinbase = this.#address(addressOfWord(word(0)))
      return undefined
    },
    'load(address,bytes32)': async (word) => {
      const key = `${addressOfWord(word(0))}_0x${word(1).toString(16).padStart(64, '0')}`
      const bytes = this.#state.storageStack.at(-1)?.get(key) ?? new Uint8Array()
      return wordToBytes(bytesToWord(bytes))
    },
  }
}

const wordToBytes = (word: bigint): Uint8Array => hexToBytes(word.toString(16).padStart(64, '0'))

const reasonOf = (error: string, returned: Uint8Array): string => {
  const isMessage = Buffer.from(returned.subarray(0, 4)).toString('hex') === '08c379a0'
  if (!isMessage) return error
  const length = Number(bytesToWord(returned.subarray(36, 68)))
  return `${error}: ${Buffer.from(returned.subarray(68, 68 + length)).toString('utf8')}`
}
