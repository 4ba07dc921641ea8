/** Which of all possible faults are tried: a seeded draw, the same for the same seed, from all protocols in turn. */
import { createHash } from 'node:crypto'
import { type Fault, operators } from './fault.ts'
import type { Half } from './protocols.ts'

export interface Candidate {
  readonly protocol: string
  readonly half: Half
  readonly fault: Fault
}

const drawKey = (seed: string, { protocol, fault }: Candidate): string =>
  createHash('sha256')
    .update([seed, protocol, fault.path, fault.operator, fault.contract, fault.function, fault.removed].join('\n'))
    .digest('hex')

/** Candidates of one operator and half: drawn within each protocol, protocols in turn, one fault of a function. */
const drawTurns = (seed: string, candidates: readonly Candidate[]): Candidate[] => {
  const byProtocol = new Map<string, Candidate[]>()
  const drawn = [...candidates].sort((a, b) => (drawKey(seed, a) < drawKey(seed, b) ? -1 : 1))
  const functions = new Set<string>()
  for (const candidate of drawn) {
    const { protocol, fault } = candidate
    const key = [protocol, fault.path, fault.contract, fault.function].join('|')
    if (functions.has(key)) continue
    functions.add(key)
    byProtocol.set(protocol, [...(byProtocol.get(protocol) ?? []), candidate])
  }
  const queues = [...byProtocol.values()]
  const turns = Math.max(0, ...queues.map(({ length }) => length))
  return Array.from({ length: turns }, (_, turn) => queues.flatMap((queue) => queue[turn] ?? [])).flat()
}

/** The first `most` of each operator and half that pass the test. */
export const selectFaults = async (
  candidates: readonly Candidate[],
  { seed, most, isFit }: { seed: string; most: number; isFit: (candidate: Candidate) => Promise<boolean> },
): Promise<Candidate[]> => {
  const kinds = (['looking', 'counted'] as const).flatMap((half) => operators.map((operator) => ({ half, operator })))
  const taken = await Promise.all(
    kinds.map(async ({ half, operator }) => {
      const turns = drawTurns(
        seed,
        candidates.filter((each) => each.half === half && each.fault.operator === operator),
      )
      const fit: Candidate[] = []
      for (const candidate of turns) {
        if (fit.length === most) break
        if (await isFit(candidate)) fit.push(candidate)
      }
      return fit
    }),
  )
  return taken.flat()
}
