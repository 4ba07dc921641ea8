import { parentPort } from 'node:worker_threads'
import type { Evidence, InputFile } from '@assay/engine'
import { type FindingAt, type ProveOptions, prove, usePackages } from '@assay/prover'

/** What is proven together, and where the compilers are. */
export interface ProofTask {
  readonly files: readonly InputFile[]
  readonly findings: readonly FindingAt[]
  readonly options: Pick<ProveOptions, 'remappings' | 'howToInstall' | 'seed' | 'limits'>
  /** Null: they are not installed. */
  readonly packagesFolder: string | null
}

/** Reported one by one, because a thread that does not come to an end is ended. */
export type ProofMessage =
  | { readonly index: number; readonly evidence: Evidence }
  | { readonly all: readonly Evidence[] }
  | { readonly failure: string }

/** In a thread of its own: findings in, evidence out. */
parentPort?.on('message', ({ files, findings, options, packagesFolder }: ProofTask) => {
  const post = (message: ProofMessage) => parentPort?.postMessage(message)
  usePackages(packagesFolder)
  prove(files, findings, { ...options, onEvidence: (evidence, index) => post({ index, evidence }) }).then(
    (all) => post({ all }),
    (error: Error) => post({ failure: error.message }),
  )
})
