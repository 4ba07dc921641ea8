import { parentPort } from 'node:worker_threads'
import type { Evidence, InputFile } from '@assay/engine'
import {
  type FindingAt,
  type HuntOptions,
  type HuntReport,
  type HuntResult,
  type HuntUnit,
  hunt,
  type ProveOptions,
  prove,
  usePackages,
} from '@assay/prover'

/** What is proven together, and where the compilers are. */
export interface ProofTask {
  readonly files: readonly InputFile[]
  readonly findings: readonly FindingAt[]
  readonly options: Pick<ProveOptions, 'remappings' | 'howToInstall' | 'seed' | 'limits' | 'hints'>
  /** Null: they are not installed. */
  readonly packagesFolder: string | null
}

/** Reported one by one, because a thread that does not come to an end is ended. */
export type ProofMessage =
  | { readonly index: number; readonly evidence: Evidence }
  | { readonly all: readonly Evidence[] }
  | { readonly failure: string }

/** A search without findings. */
export interface HuntTask {
  readonly units: readonly HuntUnit[]
  readonly options: Pick<HuntOptions, 'milliseconds' | 'seed' | 'hints'>
  readonly packagesFolder: string | null
}

export type HuntMessage =
  | { readonly report: HuntReport }
  | { readonly done: number; readonly total: number }
  | { readonly result: HuntResult }
  | { readonly failure: string }

const huntInThread = ({ units, options, packagesFolder }: HuntTask): void => {
  const post = (message: HuntMessage) => parentPort?.postMessage(message)
  usePackages(packagesFolder)
  hunt(units, {
    ...options,
    onReport: (report) => post({ report }),
    onProgress: (done, total) => post({ done, total }),
  }).then(
    (result) => post({ result }),
    (error: Error) => post({ failure: error.message }),
  )
}

const proveInThread = ({ files, findings, options, packagesFolder }: ProofTask): void => {
  const post = (message: ProofMessage) => parentPort?.postMessage(message)
  usePackages(packagesFolder)
  prove(files, findings, { ...options, onEvidence: (evidence, index) => post({ index, evidence }) }).then(
    (all) => post({ all }),
    (error: Error) => post({ failure: error.message }),
  )
}

/** In a thread of its own: findings in, evidence out; or files in, what a search found out. */
parentPort?.on('message', (task: ProofTask | HuntTask) => ('units' in task ? huntInThread(task) : proveInThread(task)))
