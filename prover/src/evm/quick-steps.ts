/**
 * Runs instructions in a row and waits only for those that have something to wait for. The package waits for every single one, which takes longer than
 * most of them do. It stays in charge of each call: it starts it, works out where code may jump to, and ends it.
 */
import type { EvmPackages, RawInterpreter, RawOpcode } from '../packages.ts'

const isJump = (code: number | undefined): boolean => code === 0x56 || code === 0x57

export const quicken = (
  { EVMError }: EvmPackages,
  interpreter: RawInterpreter,
  entriesOf: (code: Uint8Array) => readonly RawOpcode[],
): void => {
  interpreter.runStep = async (first) => {
    const { _runState: state, common } = interpreter
    let entry = first ?? interpreter.lookupOpInfo(state.opCode)
    let entries: readonly RawOpcode[] | undefined
    for (;;) {
      const { opcodeInfo: info } = entry
      const cost = info.dynamicGas ? entry.gasHandler(state, info.feeBigInt, common) : info.feeBigInt
      const gas = typeof cost === 'bigint' ? cost : await cost
      if (info.isInvalid) throw new EVMError(EVMError.errorMessages.INVALID_OPCODE)
      interpreter.useGas(gas, info)
      state.programCounter++
      const done = entry.opHandler(state, common)
      if (done instanceof Promise) await done
      if (state.programCounter >= state.code.length) return
      // Before the first jump of a call the package has yet to work out where code may jump to.
      if (state.shouldDoJumpAnalysis && isJump(state.code[state.programCounter])) return
      entries ??= entriesOf(state.code)
      entry = entries[state.programCounter] ?? interpreter.lookupOpInfo(state.code[state.programCounter] as number)
      state.opCode = entry.opcodeInfo.code
    }
  }
}

/** What memory is accessed where it reaches already costs nothing more, which need not be waited for. */
export const priceMemoryAtOnce = (opcodes: readonly RawOpcode[]): void => {
  for (const [code, bytes] of [
    [0x51, 32n],
    [0x52, 32n],
    [0x53, 1n],
  ] as const) {
    const entry = opcodes[code]
    if (!entry) throw new Error(`the EVM has no instruction ${code}`)
    const priceOf = entry.gasHandler
    entry.gasHandler = (state, gas, common) => {
      const [offset = 0n] = state.stack.peek(1)
      return (offset + bytes + 31n) >> 5n <= state.memoryWordCount ? gas : priceOf(state, gas, common)
    }
  }
}

/** Read several times for every instruction; the package searches a list. */
export const rememberForks = (common: { isActivatedEIP(number: number): boolean }): void => {
  const find = common.isActivatedEIP.bind(common)
  const known = new Map<number, boolean>()
  common.isActivatedEIP = (number) => {
    let answer = known.get(number)
    if (answer === undefined) {
      answer = find(number)
      known.set(number, answer)
    }
    return answer
  }
}
