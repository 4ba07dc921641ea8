/** A proof becomes evidence: steps in words, balances, the control run, and the Foundry test. */
import type { Evidence } from '@assay/engine'
import type { Proof } from '../attacks/attack.ts'
import type { Snapshot } from '../evm/machine.ts'
import type { Chain } from '../scene/chain.ts'
import type { Instance } from '../scene/step.ts'
import { describeProof } from './describe-proof.ts'
import { writeFoundryTest } from './foundry-test.ts'

export interface ProofContext {
  /** Of the chain before the attack. */
  readonly base: Snapshot
  readonly target: Instance
  readonly proof: Proof
  readonly path: string
  readonly line: number
  /** Names the test. */
  readonly detector: string
  /** Of the finding, in the head of the test. */
  readonly name: string
  readonly seed: number
  readonly calls: number
}

export const toEvidence = async (chain: Chain, context: ProofContext): Promise<Evidence> => {
  const { base, target, proof, path, line, detector, name, seed, calls } = context
  const { compiler, libraries } = chain.compilation
  const story = await describeProof(chain, base, target, proof)
  const text = writeFoundryTest({
    chain,
    path,
    detector,
    target,
    proof,
    evidenceSteps: story.steps,
    headline: `${name} at ${path}:${line}: ${proof.harm}.`,
    seed,
  })
  return {
    status: proof.status,
    summary: proof.harm,
    ...story,
    control: proof.control,
    callsTried: calls,
    seed,
    compiler,
    ...(libraries ? { libraries } : {}),
    foundryTest: { file: testFileName(path, detector, line), text },
  }
}

const testFileName = (path: string, detector: string, line: number): string => {
  const base = (path.split('/').at(-1) ?? 'contract').replace(/\.sol$/, '').replace(/[^A-Za-z0-9_-]/g, '_')
  return `${base}.${detector}.${line}.t.sol`
}
