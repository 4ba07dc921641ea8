/** From an instruction to the text it was compiled from, and from a finding's lines to instructions. */
import type { CompiledContract, CompiledSource, SourceRange } from './compilation.ts'
import { nodesOf } from './compile.ts'

/** The range of each instruction by its place in the bytecode. */
export const rangesByPc = ({ runtime, sourceMap }: CompiledContract): Map<number, SourceRange> => {
  const pcs = instructionPcs(runtime.object)
  const ranges = new Map<number, SourceRange>()
  let [start, length, file] = [0, 0, -1]
  sourceMap.split(';').forEach((entry, index) => {
    const [s, l, f] = entry.split(':')
    if (s) start = Number(s)
    if (l) length = Number(l)
    if (f) file = Number(f)
    const pc = pcs[index]
    if (pc !== undefined) ranges.set(pc, { start, end: start + length, file })
  })
  return ranges
}

/** Where each instruction begins; unfilled library places count as the bytes they will be. */
const instructionPcs = (object: string): number[] => {
  const pcs: number[] = []
  for (let pc = 0; pc < object.length / 2; pc++) {
    pcs.push(pc)
    const code = Number.parseInt(object.slice(2 * pc, 2 * pc + 2), 16)
    if (code >= 0x60 && code <= 0x7f) pc += code - 0x5f
  }
  return pcs
}

export interface LineRange {
  readonly line: number
  readonly endLine: number
}

/** Byte offsets of the first byte of each line. */
const lineStarts = (text: string): number[] => {
  const starts = [0]
  const bytes = Buffer.from(text, 'utf8')
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  starts.push(bytes.length + 1)
  return starts
}

/** Instructions compiled from text that lies within these lines of the source. */
export const pcsOfLines = (
  contract: CompiledContract,
  source: CompiledSource,
  { line, endLine }: LineRange,
): Set<number> => {
  const starts = lineStarts(source.text)
  const from = starts[line - 1] ?? 0
  const to = starts[endLine] ?? starts.at(-1) ?? 0
  const pcs = new Set<number>()
  for (const [pc, range] of rangesByPc(contract)) {
    if (range.file === source.index && range.start >= from && range.end <= to) pcs.add(pc)
  }
  return pcs
}

/** The lines of the function that a line belongs to. */
export const linesOfFunctionAt = (source: CompiledSource, line: number): LineRange | undefined => {
  const starts = lineStarts(source.text)
  const lineOf = (offset: number): number => starts.findLastIndex((start) => start <= offset) + 1
  for (const { nodeType, src } of nodesOf(source.ast)) {
    if (nodeType !== 'FunctionDefinition') continue
    const [start = 0, length = 0] = src.split(':').map(Number)
    const range = { line: lineOf(start), endLine: lineOf(start + length) }
    if (range.line <= line && line <= range.endLine) return range
  }
  return undefined
}
