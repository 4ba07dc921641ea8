/**
 * QR codes (ISO/IEC 18004) for short texts: byte mode, error correction L, versions 1 to 10. Only ever the masks' first: readers take any, and
 * a choice among eight would be most of the code.
 */

/** By version: error-correction bytes of each block, and how many blocks there are. */
const CORRECTION = [7, 10, 15, 20, 26, 18, 20, 24, 30, 18]
const BLOCKS = [1, 1, 1, 1, 1, 2, 2, 2, 2, 4]
/** All bytes of a version, data and correction. */
const TOTAL = [26, 44, 70, 100, 134, 172, 196, 242, 292, 346]
const ALIGNED: readonly (readonly number[])[] = [
  [],
  [6, 18],
  [6, 22],
  [6, 26],
  [6, 30],
  [6, 34],
  [6, 22, 38],
  [6, 24, 42],
  [6, 26, 46],
  [6, 28, 50],
]

/** Rows of modules, true where dark; undefined for a text that is too long. */
export function qrCode(text: string): boolean[][] | undefined {
  const bytes = new TextEncoder().encode(text)
  const version =
    CORRECTION.findIndex((_, index) => headBits(index + 1) + 8 * bytes.length <= 8 * dataBytes(index + 1)) + 1
  if (version === 0) return undefined
  const grid = drawPatterns(version)
  drawData(grid, interleave(version, encode(version, bytes)))
  return grid.map((row) => row.map(({ isDark }) => isDark))
}

const at = (list: readonly number[], index: number): number => list[index] ?? 0
const dataBytes = (version: number): number =>
  at(TOTAL, version - 1) - at(CORRECTION, version - 1) * at(BLOCKS, version - 1)
const lengthBits = (version: number): number => (version < 10 ? 8 : 16)
const headBits = (version: number): number => 4 + lengthBits(version)

/** Mode, length, text, an end, and filling up to the brim. */
function encode(version: number, bytes: Uint8Array): number[] {
  const bits: number[] = []
  const put = (value: number, count: number): void => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1)
  }
  put(0b0100, 4)
  put(bytes.length, lengthBits(version))
  for (const byte of bytes) put(byte, 8)
  const room = 8 * dataBytes(version)
  put(0, Math.min(4, room - bits.length))
  while (bits.length % 8 > 0) bits.push(0)
  for (let filler = 0xec; bits.length < room; filler ^= 0xec ^ 0x11) put(filler, 8)
  return Array.from({ length: room / 8 }, (_, i) => bits.slice(8 * i, 8 * i + 8).reduce((sum, bit) => sum * 2 + bit, 0))
}

/** Product in the field of 256 elements that the code is built on. */
function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d)
    product ^= ((b >> bit) & 1) * a
  }
  return product
}

function correctionOf(data: readonly number[], count: number): number[] {
  const divisor = Array.from({ length: count }, (_, i) => Number(i === count - 1))
  let root = 1
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < count; j++) divisor[j] = multiply(at(divisor, j), root) ^ at(divisor, j + 1)
    root = multiply(root, 2)
  }
  const rest = divisor.map(() => 0)
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0)
    rest.push(0)
    for (let i = 0; i < count; i++) rest[i] = at(rest, i) ^ multiply(at(divisor, i), factor)
  }
  return rest
}

/** A spot on the paper hits several blocks a little instead of one a lot. */
function interleave(version: number, data: readonly number[]): number[] {
  const count = at(BLOCKS, version - 1)
  const short = Math.floor(data.length / count)
  const shortBlocks = count - (data.length % count)
  let from = 0
  const blocks = Array.from({ length: count }, (_, i) => {
    const block = data.slice(from, from + short + Number(i >= shortBlocks))
    from += block.length
    return block
  })
  const across = (lists: readonly (readonly number[])[], length: number): number[] =>
    Array.from({ length }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1))).flat()
  const corrections = blocks.map((block) => correctionOf(block, at(CORRECTION, version - 1)))
  return [...across(blocks, short + 1), ...across(corrections, at(CORRECTION, version - 1))]
}

interface Module {
  isDark: boolean
  /** Part of a pattern, not of the text. */
  isFixed: boolean
}

function drawPatterns(version: number): Module[][] {
  const size = 17 + 4 * version
  const grid = Array.from({ length: size }, () =>
    Array.from({ length: size }, () => ({ isDark: false, isFixed: false })),
  )
  const set = (x: number, y: number, isDark: boolean): void => {
    const module = grid[y]?.[x]
    if (module) Object.assign(module, { isDark, isFixed: true })
  }
  for (let i = 0; i < size; i++) {
    set(6, i, i % 2 === 0)
    set(i, 6, i % 2 === 0)
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    drawRings(set, x, y, 4)
  const centres = ALIGNED[version - 1] ?? []
  const last = centres.length - 1
  for (const [i, x] of centres.entries())
    for (const [j, y] of centres.entries()) {
      const isFinder = (i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)
      if (!isFinder) drawRings(set, x, y, 2)
    }
  drawFormat(set, size)
  if (version >= 7) drawVersion(set, size, version)
  return grid
}

type SetModule = (x: number, y: number, isDark: boolean) => void

/** Squares in each other: every other ring is dark, the outermost of a large one is its margin. */
function drawRings(set: SetModule, centreX: number, centreY: number, reach: number): void {
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) {
      const ring = Math.max(Math.abs(dx), Math.abs(dy))
      set(centreX + dx, centreY + dy, reach === 4 ? ring !== 2 && ring !== 4 : ring !== 1)
    }
}

/** Error correction L and mask 0, with their own correction. */
function drawFormat(set: SetModule, size: number): void {
  const data = 0b01_000
  let rest = data
  for (let i = 0; i < 10; i++) rest = (rest << 1) ^ ((rest >> 9) * 0x537)
  const bits = ((data << 10) | rest) ^ 0x5412
  const isSet = (i: number): boolean => ((bits >> i) & 1) === 1
  for (let i = 0; i <= 5; i++) set(8, i, isSet(i))
  set(8, 7, isSet(6))
  set(8, 8, isSet(7))
  set(7, 8, isSet(8))
  for (let i = 9; i < 15; i++) set(14 - i, 8, isSet(i))
  for (let i = 0; i < 8; i++) set(size - 1 - i, 8, isSet(i))
  for (let i = 8; i < 15; i++) set(8, size - 15 + i, isSet(i))
  set(8, size - 8, true)
}

function drawVersion(set: SetModule, size: number, version: number): void {
  let rest = version
  for (let i = 0; i < 12; i++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25)
  const bits = (version << 12) | rest
  for (let i = 0; i < 18; i++) {
    const isDark = ((bits >> i) & 1) === 1
    const near = Math.floor(i / 3)
    const far = size - 11 + (i % 3)
    set(far, near, isDark)
    set(near, far, isDark)
  }
}

/** Up and down in columns of two from the right, around the patterns, turned where the mask says so. */
function drawData(grid: Module[][], bytes: readonly number[]): void {
  const size = grid.length
  let bit = 0
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    for (let step = 0; step < size; step++) {
      const isUpward = ((right + 1) & 2) === 0
      const y = isUpward ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        const module = grid[y]?.[x]
        if (!module || module.isFixed) continue
        const isOne = ((at(bytes, bit >> 3) >> (7 - (bit & 7))) & 1) === 1
        bit += 1
        module.isDark = isOne !== ((x + y) % 2 === 0)
      }
    }
  }
}
