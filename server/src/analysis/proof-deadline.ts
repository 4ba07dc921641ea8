import type { Deadline } from './pool.ts'

/** Of wall time, which a busy machine may need for the CPU time of a budget. */
export const mostProofMs = 90_000

/**
 * The prover keeps to its budget between two instructions; what is beyond it is for the last ones and the answer. A compiler cannot be
 * interrupted and is ended from here. Scanning, starting a process and storing come on top, so the part beyond is small: the free plan's
 * ten seconds end within fifteen. Wall time counts as far as the process had a core, since a busy machine is not the proof's fault.
 */
export const proofDeadline = (budgetMs: number): Deadline => ({
  cpuMs: 1.1 * budgetMs,
  wallMs: 1.2 * budgetMs,
  mostWallMs: mostProofMs,
})
