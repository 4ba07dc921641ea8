/**
 * An EVM with what attacks need: accounts with ether, snapshots, a block that can be moved, and a trace. Tracing hooks into
 * the handlers of the instructions of interest instead of listening to every step, which costs a tenth.
 * Runs are bounded by gas and by the number of traced instructions, so that they end the same way on every machine; what gas
 * prices far below what it costs here (precompiles, hashes) counts as so many instructions.
 */
import type { EvmPackages, RawAccount, RawEvm, RawInterpreter, RawRunState } from '../packages.ts'
import { bytesToHex, bytesToWord, hexToBytes } from './abi.ts'
import { instructionsPerGas, instructionsPerHash } from './prices.ts'
import { priceMemoryAtOnce, quicken, rememberForks } from './quick-steps.ts'
import { chanceOps, comparisonOps, leavesResult, op, recordedWords, type TraceEvent } from './trace.ts'
import { copyAccounts, createUndoState, type UndoState } from './undo-state.ts'

export interface Block {
  number: bigint
  timestamp: bigint
  /** Stands for everything else in a block that its proposer or chance decides. */
  salt: number
}

/** When the first transaction of a chain runs. */
export type Start = Readonly<Pick<Block, 'number' | 'timestamp'>>

export const today: Start = { number: 20_000_000n, timestamp: 1_750_000_000n }

/** Moments long before the chain began that a contract compared the present with: it was written for another time. */
export interface Bygone {
  readonly timestamps: Set<bigint>
  readonly numbers: Set<bigint>
}

/** The first block of the main chain. What is smaller is no moment. */
const firstTimestamp = 1_438_269_973n
const longAgo = { timestamp: 30n * 86_400n, number: 216_000n }

export interface Message {
  readonly from: string
  /** Absent: a contract is created. */
  readonly to?: string
  readonly data: string
  readonly value?: bigint
  readonly gas?: bigint
  readonly origin?: string
  /** Nobody will read the trace: none is kept, and more instructions are allowed. */
  readonly isUntraced?: boolean
}

export interface Outcome {
  readonly ok: boolean
  readonly error: string | null
  readonly returned: string
  readonly gasUsed: bigint
  readonly trace: readonly TraceEvent[]
  readonly created: string | null
  readonly logs: readonly string[]
}

export interface Snapshot {
  readonly accounts: Map<string, RawAccount | undefined>
  readonly code: Map<string, Uint8Array>
  readonly storage: Map<string, Uint8Array>
  readonly block: Block
}

export const callGas = 8_000_000n
/** What all transactions of a block may use together. */
export const blockGas = 30_000_000n
const createGas = 60_000_000n
/** What is larger is an address, a hash or the end of a type. */
const largestAmount = 1n << 128n
const maxTracedInstructions = 300_000
const maxUntracedInstructions = 1_500_000
const keccak256 = 0x20
export const coinbase = `0x${'c0'.repeat(20)}`

class InstructionLimit extends Error {}

/** How many instructions are executed before the clock is looked at. */
const instructionsPerLook = 1_000

export class Machine {
  readonly #packages: EvmPackages
  readonly #evm: RawEvm
  readonly #state: UndoState
  #trace: TraceEvent[] = []
  #left = 0
  #isKept = true
  readonly start: Start
  readonly bygone: Bygone = { timestamps: new Set(), numbers: new Set() }
  /** Numbers that a contract was deployed with; and the largest of what each was compared with. */
  watched: ReadonlySet<bigint> = new Set()
  readonly comparedWith = new Map<bigint, bigint>()
  /** Code read what a block's proposer or chance decides. */
  hasReadChance = false
  block: Block
  /** Where a jump is traced too: a line that only calls a function of the same contract becomes nothing else. */
  jumpsOfInterest: ReadonlySet<number> = new Set()
  /** Calls are noted with the function that they name. */
  notesSelectors = false
  /** For control runs: an instruction that this answers with true ends its call, as if it were checked. */
  refuse: ((event: TraceEvent) => boolean | undefined) | undefined
  /** For control runs: what this answers takes the place of what an instruction left on the stack. */
  replace: ((event: TraceEvent) => bigint | undefined) | undefined
  /** Called before every top-level call or creation, and may throw: what an attack costs is counted here. */
  onCall: (() => void) | undefined
  /** Called every now and then while a call runs, and may throw: the clock is looked at here. */
  onLook: (() => void) | undefined
  #untilLook = instructionsPerLook

  private constructor(packages: EvmPackages, evm: RawEvm, state: UndoState, start: Start) {
    this.start = start
    this.block = { ...start, salt: 1 }
    this.#packages = packages
    this.#evm = evm
    this.#state = state
  }

  static async create(packages: EvmPackages, start: Start = today): Promise<Machine> {
    const common = new packages.Common({ chain: packages.Mainnet, hardfork: 'cancun' })
    rememberForks(common)
    const stateManager = createUndoState(packages, common)
    let machine: Machine | undefined
    const blockchain = {
      getBlock: async (number: bigint) => ({ hash: () => machine?.hashOfBlock(BigInt(number)) }),
      putBlock: async () => undefined,
      shallowCopy: () => blockchain,
    }
    const evm = await packages.createEVM({ common, stateManager, blockchain, allowUnlimitedContractSize: true })
    machine = new Machine(packages, evm, stateManager, start)
    machine.#watch()
    machine.#pricePrecompiles()
    machine.#priceHashes()
    priceMemoryAtOnce(evm._opcodeMap)
    return machine
  }

  hashOfBlock(number: bigint): Uint8Array {
    // The salt stands for the unknown future: it changes what the newest blocks hash to, not the past.
    const salt = number >= this.block.number - 1n ? this.block.salt : 0
    return this.#packages.keccak(Buffer.from(`block ${number} ${salt}`))
  }

  /** The randao and the previous block's hash of a block under a salt. */
  chanceOf(number: bigint, salt: number): { randao: string; hash: string } {
    return {
      randao: bytesToHex(this.#packages.keccak(Buffer.from(`randao ${number} ${salt}`))),
      hash: bytesToHex(this.#packages.keccak(Buffer.from(`block ${number - 1n} ${salt}`))),
    }
  }

  keccak(hex: string): string {
    return bytesToHex(this.#packages.keccak(hexToBytes(hex)))
  }

  #watch(): void {
    for (const code of Object.values(op)) {
      const entry = this.#evm._opcodeMap[code]
      if (!entry) throw new Error(`the EVM has no instruction ${code}`)
      const run = entry.opHandler
      const words = recordedWords(code)
      const withResult = leavesResult(code)
      entry.opHandler = (state, common) => {
        this.#charge(1)
        if (!Object.hasOwn(state.interpreter, 'runStep')) this.#quicken(state.interpreter)
        if (!this.#isKept) return run(state, common)
        const event = this.#note(state, code, words)
        if (comparisonOps.has(code)) {
          this.#noteBygone(event.stack)
          if (this.watched.size > 0) this.#noteWatched(event.stack)
        }
        if (chanceOps.has(code)) this.hasReadChance = true
        if (this.refuse?.(event)) throw new this.#packages.EVMError(this.#packages.EVMError.errorMessages.REVERT)
        const done = run(state, common)
        if (!withResult) return done
        if (!(done instanceof Promise)) {
          this.#noteResult(state, event)
          return done
        }
        return done.then(() => this.#noteResult(state, event))
      }
    }
  }

  #noteResult({ stack }: RawRunState, event: TraceEvent): void {
    event.result = stack.peek(1)[0] ?? 0n
    const other = this.replace?.(event)
    if (other === undefined) return
    stack.pop()
    stack.push(other)
    event.result = other
  }

  #charge(instructions: number): void {
    this.#left -= instructions
    if (this.#left < 0) throw new InstructionLimit('too many instructions')
    this.#untilLook -= instructions
    if (this.#untilLook > 0) return
    this.#untilLook = instructionsPerLook
    this.onLook?.()
  }

  /** A precompile gets as much gas as the instructions that are left are worth. */
  #pricePrecompiles(): void {
    for (const [address, run] of this.#evm.precompiles) {
      const rate = instructionsPerGas(address)
      this.#evm.precompiles.set(address, async (input) => {
        const affordable = BigInt(Math.floor(this.#left / rate))
        const isShort = affordable < input.gasLimit
        const result = await run(isShort ? { ...input, gasLimit: affordable } : input)
        this.#charge(Math.ceil(Number(result.executionGasUsed) * rate))
        if (isShort && result.exceptionError) throw new InstructionLimit('too many instructions')
        return result
      })
    }
  }

  #priceHashes(): void {
    const entry = this.#evm._opcodeMap[keccak256]
    if (!entry) throw new Error('the EVM has no KECCAK256')
    const run = entry.opHandler
    entry.opHandler = (state, common) => {
      const [, size = 0n] = state.stack.peek(2)
      this.#charge(instructionsPerHash(size))
      return run(state, common)
    }
  }

  readonly #jumps = new WeakMap<Uint8Array, ReturnType<RawInterpreter['_getValidJumpDestinations']>>()

  /** Where code may jump to is worked out once for the code, not for every call of it: for large contracts that was most of the time. */
  #quicken(interpreter: RawInterpreter): void {
    const find = interpreter._getValidJumpDestinations
    interpreter._getValidJumpDestinations = (code) => {
      const known = this.#jumps.get(code)
      if (known) return known
      const found = find.call(interpreter, code)
      this.#jumps.set(code, found)
      return found
    }
    quicken(this.#packages, interpreter, (code) => interpreter._getValidJumpDestinations(code).opcodesCached)
  }

  readonly #names = new WeakMap<object, { address: string; code: string }>()

  #note(state: RawRunState, code: number, words: number): TraceEvent {
    let names = this.#names.get(state.env)
    if (!names) {
      names = { address: state.env.address.toString(), code: (state.env.codeAddress ?? state.env.address).toString() }
      this.#names.set(state.env, names)
    }
    const stack = words === 0 ? [] : state.stack.peek(words)
    const event: TraceEvent = {
      op: code,
      pc: state.programCounter - 1,
      depth: state.env.depth,
      address: names.address,
      code: names.code,
      stack,
      ...(code === op.STATICCALL || code === op.CALL ? signatureInput(state, stack, code) : {}),
      ...(this.notesSelectors && code === op.STATICCALL
        ? { selector: bytesToHex(state.memory.read(Number(stack[2] ?? 0n), 4)) }
        : {}),
    }
    if (code !== op.JUMP || this.jumpsOfInterest.has(event.pc)) this.#trace.push(event)
    return event
  }

  #noteBygone([a = 0n, b = 0n]: readonly bigint[]): void {
    const { timestamp, number } = this.block
    for (const [present, other] of [
      [a, b],
      [b, a],
    ] as const) {
      if (present === timestamp && other > firstTimestamp && other < this.start.timestamp - longAgo.timestamp)
        this.bygone.timestamps.add(other)
      if (present === number && other > longAgo.number && other < this.start.number - longAgo.number)
        this.bygone.numbers.add(other)
    }
  }

  #noteWatched([a = 0n, b = 0n]: readonly bigint[]): void {
    for (const [number, other] of [
      [a, b],
      [b, a],
    ] as const)
      if (
        this.watched.has(number) &&
        other > number &&
        other < largestAmount &&
        other > (this.comparedWith.get(number) ?? 0n)
      )
        this.comparedWith.set(number, other)
  }

  async run(message: Message): Promise<Outcome> {
    this.onCall?.()
    const before = this.snapshot()
    this.#trace = []
    this.#left = message.isUntraced ? maxUntracedInstructions : maxTracedInstructions
    this.#isKept = !message.isUntraced
    await this.#evm.journal.cleanup()
    this.#state.originalStorageCache.clear()
    this.#evm.transientStorage.clear()
    try {
      return await this.#execute(message)
    } catch (error) {
      const trace = this.#trace
      this.restore(before)
      if (!(error instanceof InstructionLimit)) throw error
      return { ok: false, error: error.message, returned: '0x', gasUsed: 0n, trace, created: null, logs: [] }
    }
  }

  async #execute({ from, to, data, value = 0n, gas, origin }: Message): Promise<Outcome> {
    const address = this.#packages.createAddressFromString
    const { createdAddress, execResult } = await this.#evm.runCall({
      caller: address(from),
      origin: address(origin ?? from),
      ...(to ? { to: address(to) } : {}),
      data: hexToBytes(data),
      value,
      gasLimit: gas ?? (to ? callGas : createGas),
      gasPrice: 1n,
      block: { header: this.#header() },
    })
    const failed = execResult.exceptionError
    return {
      ok: !failed,
      error: failed ? failed.error : null,
      returned: bytesToHex(execResult.returnValue),
      gasUsed: execResult.executionGasUsed,
      trace: this.#trace,
      created: !to && !failed && createdAddress ? createdAddress.toString() : null,
      logs: (execResult.logs ?? []).map(([, topics, body]) => [...topics, body].map(bytesToHex).join(' ')),
    }
  }

  #header(): object {
    const { number, timestamp, salt } = this.block
    return {
      number,
      timestamp,
      coinbase: this.#packages.createAddressFromString(coinbase),
      difficulty: 0n,
      prevRandao: this.#packages.keccak(Buffer.from(`randao ${number} ${salt}`)),
      gasLimit: blockGas,
      baseFeePerGas: 0n,
      getBlobGasPrice: () => 1n,
    }
  }

  snapshot(): Snapshot {
    return {
      accounts: copyAccounts(this.#state.accountStack.at(-1)),
      code: new Map(this.#state.codeStack.at(-1)),
      storage: new Map(this.#state.storageStack.at(-1)),
      block: { ...this.block },
    }
  }

  restore({ accounts, code, storage, block }: Snapshot): void {
    this.#state.codeStack = [new Map(code)]
    this.#state.replace(copyAccounts(accounts), new Map(storage))
    this.block = { ...block }
  }

  balanceOf(address: string): bigint {
    return this.#state.accountStack.at(-1)?.get(address)?.balance ?? 0n
  }

  async setBalance(address: string, balance: bigint): Promise<void> {
    const nonce = this.#state.accountStack.at(-1)?.get(address)?.nonce ?? 0n
    const account = this.#state.accountStack.at(-1)?.get(address) ?? this.#packages.createAccount({ nonce, balance })
    account.balance = balance
    await this.#state.putAccount(this.#packages.createAddressFromString(address), account)
  }

  async setCode(address: string, code: Uint8Array): Promise<void> {
    await this.#state.putCode(this.#packages.createAddressFromString(address), code)
  }

  codeOf(address: string): Uint8Array {
    return this.#state.codeStack.at(-1)?.get(address) ?? new Uint8Array()
  }

  slotOf(address: string, slot: bigint): bigint {
    const key = `${address}_0x${slot.toString(16).padStart(64, '0')}`
    return bytesToWord(this.#state.storageStack.at(-1)?.get(key) ?? new Uint8Array())
  }

  /** Slots of one contract that were ever written, zeros left out. */
  storageOf(address: string): Map<bigint, bigint> {
    const slots = new Map<bigint, bigint>()
    const prefix = `${address}_`
    for (const [key, bytes] of this.#state.storageStack.at(-1) ?? []) {
      if (!key.startsWith(prefix)) continue
      const value = bytesToWord(bytes)
      if (value !== 0n) slots.set(BigInt(key.slice(prefix.length)), value)
    }
    return slots
  }
}

/** The hash that a contract asks ecrecover about: what an honest signer would have signed. */
const signatureInput = (state: RawRunState, stack: readonly bigint[], code: number): { input?: string } => {
  if (stack[1] !== 1n) return {}
  const offset = stack[code === op.CALL ? 3 : 2] ?? 0n
  return { input: bytesToHex(state.memory.read(Number(offset), 128)) }
}
