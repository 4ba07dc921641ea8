/** Keccak-256 as the EVM has it, for the few names of which a slot is computed: written for reading, not for speed. */
const mask = (1n << 64n) - 1n
const rotate = (word: bigint, by: bigint): bigint => ((word << by) | (word >> (64n - by))) & mask
const at = (words: readonly bigint[], index: number): bigint => words[index] as bigint

/** 1088 bits of input per round; the rest of the state is capacity. */
const rateBytes = 136

/** Distance and target of each lane, walked in the order in which the standard moves them. */
const moves = ((): readonly { readonly to: number; readonly by: bigint }[] => {
  let [x, y] = [1, 0]
  return Array.from({ length: 24 }, (_, step) => {
    ;[x, y] = [y, (2 * x + 3 * y) % 5]
    return { to: x + 5 * y, by: BigInt((((step + 1) * (step + 2)) / 2) % 64) }
  })
})()

/** From the linear feedback shift register of the standard. */
const roundConstants = ((): readonly bigint[] => {
  let register = 1
  const nextBit = (): bigint => {
    const bit = register & 1
    register = ((register << 1) ^ ((register >> 7) * 0x171)) & 0xff
    return BigInt(bit)
  }
  return Array.from({ length: 24 }, () =>
    Array.from({ length: 7 }, (_, j) => nextBit() << BigInt(2 ** j - 1)).reduce((sum, bit) => sum | bit, 0n),
  )
})()

function permute(state: bigint[]): void {
  for (const constant of roundConstants) {
    const columns = [0, 1, 2, 3, 4].map((x) => [0, 5, 10, 15, 20].reduce((sum, y) => sum ^ at(state, x + y), 0n))
    for (let i = 0; i < 25; i++)
      state[i] = at(state, i) ^ at(columns, (i + 4) % 5) ^ rotate(at(columns, (i + 1) % 5), 1n)
    let moving = at(state, 1)
    for (const { to, by } of moves) {
      const next = at(state, to)
      state[to] = rotate(moving, by)
      moving = next
    }
    for (let row = 0; row < 25; row += 5) {
      const old = state.slice(row, row + 5)
      for (let x = 0; x < 5; x++) state[row + x] = at(old, x) ^ (~at(old, (x + 1) % 5) & mask & at(old, (x + 2) % 5))
    }
    state[0] = at(state, 0) ^ constant
  }
}

/** The hash as a number, as the EVM takes it for a slot. */
export function keccak256(input: Uint8Array): bigint {
  const padded = new Uint8Array((Math.floor(input.length / rateBytes) + 1) * rateBytes)
  padded.set(input)
  padded[input.length] = 1
  padded[padded.length - 1] = (padded[padded.length - 1] as number) | 0x80
  const state = Array.from({ length: 25 }, () => 0n)
  const view = new DataView(padded.buffer)
  for (let block = 0; block < padded.length; block += rateBytes) {
    for (let lane = 0; lane < rateBytes / 8; lane++)
      state[lane] = at(state, lane) ^ view.getBigUint64(block + lane * 8, true)
    permute(state)
  }
  const output = new DataView(new ArrayBuffer(32))
  for (let lane = 0; lane < 4; lane++) output.setBigUint64(lane * 8, at(state, lane), true)
  return [0, 8, 16, 24].reduce((sum, offset) => (sum << 64n) | output.getBigUint64(offset), 0n)
}
