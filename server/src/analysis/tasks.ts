import type { Counts, ScanResult, WireFinding } from '@assay/engine'
import type { RefusalName } from '../core/errors.ts'
import type { Submission } from '../core/sources/collect-sources.ts'
import type { Labels } from '../core/sources/labels.ts'
import type { Origin } from '../core/sources/origin.ts'
import type { BatchEntry, BatchLimits } from '../core/sources/split-batch.ts'
import type { Upload } from '../core/sources/upload.ts'

export const reportFormats = ['json', 'sarif', 'markdown', 'html'] as const
export type ReportFormat = (typeof reportFormats)[number]
/** `legacy`: the earlier shape of the JSON answer. */
export type AnswerFormat = ReportFormat | 'legacy'

/** The task of a worker; bytes travel, never objects, so that the serving thread neither parses nor builds them. */
export type Task =
  | UnpackTask
  | SplitTask
  | ScanTask
  | UnfinishedProofTask
  | RenderTask
  | WithholdTask
  | PageTask
  | FixTask
  | AiPromptTask
  | AiMergeTask

/** Opens an archive or a document. */
export interface UnpackTask {
  readonly task: 'unpack'
  readonly upload: Upload
  readonly maxBytes: number
}

export type Unpacked =
  | { readonly outcome: 'unpacked'; readonly submission: Submission }
  | {
      readonly outcome: 'refused'
      readonly refusal: { readonly name: RefusalName; readonly words: string; readonly headers: Record<string, string> }
    }

/** Takes a batch apart. */
export interface SplitTask {
  readonly task: 'split'
  readonly upload: Upload
  readonly limits: BatchLimits
}

export type Split =
  | { readonly outcome: 'split'; readonly scans: readonly BatchEntry[] }
  | Extract<Unpacked, { readonly outcome: 'refused' }>

export interface ScanTask {
  readonly task: 'scan'
  readonly sources: readonly { readonly path: string; readonly bytes: Uint8Array }[]
  /** Paths whose findings are reported; the rest is read for meaning. */
  readonly reported: readonly string[]
  readonly remappings: readonly string[]
  readonly isProject: boolean
  /** As the client called it. */
  readonly fileName: string
  readonly scanId: string
  /** The opaque name that the result carries. */
  readonly file: string
  /** A larger contract is not analysed. */
  readonly maxContractBytes: number
  readonly suppressions: 'honour' | 'ignore'
  readonly format: AnswerFormat
  /** The stored result of an earlier scan to compare with. */
  readonly baseline?: Uint8Array | undefined
  readonly scannedAt: string
  /** Set when the service fetched the sources itself. */
  readonly origin?: Origin | undefined
  /** What was decided about findings of earlier scans of the project. */
  readonly setAside?: readonly SetAside[] | undefined
  /** What earlier scans of the project found. */
  readonly known?: readonly KnownFinding[] | undefined
  readonly labels?: Labels | undefined
  /** CPU time after which nothing more is begun: what was analyzed by then is the result. */
  readonly cpuMs: number
}

/** A finding that has a record. */
export interface KnownFinding {
  readonly id: string
  readonly file: string
  readonly fingerprint: string
}

/** The same with its state. */
export interface StatedFinding extends KnownFinding {
  readonly state: 'open' | 'fixed' | 'false-positive' | 'accepted'
}

/** A finding that someone decided not to count. */
export interface SetAside {
  readonly file: string
  readonly fingerprint: string
  readonly state: 'false-positive' | 'accepted'
  readonly reason: string | null
}

/** Executes the findings of a stored result. */
export interface ProveTask {
  readonly task: 'prove'
  /** Stored, as the scan left them. */
  readonly source: Uint8Array
  readonly result: Uint8Array
  readonly budgetMs: number
  readonly format: AnswerFormat
  readonly scannedAt: string
  readonly setAside?: readonly SetAside[] | undefined
  readonly labels?: Labels | undefined
  /** Of the compilers and the EVM; null when they are not installed. */
  readonly packagesFolder: string | null
}

/** Of a prover that was stopped: what it had reported is kept. */
export interface UnfinishedProofTask {
  readonly task: 'unfinished-proof'
  readonly result: Uint8Array
  /** As JSON, at the places of their findings. */
  readonly received: readonly (Uint8Array | undefined)[]
  /** What the other findings get: why there is nothing. */
  readonly rest: Uint8Array
  readonly format: AnswerFormat
  readonly scannedAt: string
  readonly setAside?: readonly SetAside[] | undefined
  readonly labels?: Labels | undefined
}

/** What a prover tells of one finding as soon as it knows. */
export interface EvidenceProgress {
  readonly index: number
  /** As JSON. */
  readonly evidence: Uint8Array
}

/** What a proof changes of a scan. */
export type Proven = Pick<Scanned, 'body' | 'storedBody' | 'storedResult'>

export interface FoundryTestTask {
  readonly task: 'foundry-test'
  readonly source: Uint8Array
  readonly result: Uint8Array
  readonly fingerprint: string
  /** Also of the library sources that complete a target. */
  readonly packagesFolder: string | null
}

export interface RenderTask {
  readonly task: 'render'
  /** A stored result. */
  readonly result: Uint8Array
  readonly format: ReportFormat
  readonly scannedAt: string
  readonly setAside?: readonly SetAside[] | undefined
  readonly labels?: Labels | undefined
}

/** Takes everything out of a stored result that was copied from the source. */
export interface WithholdTask {
  readonly task: 'withhold'
  readonly result: Uint8Array
}

/** Some of the findings of a stored result, in its order. */
export interface PageTask {
  readonly task: 'page'
  readonly result: Uint8Array
  readonly from: number
  readonly count: number
  /** Of the scan's project. */
  readonly records: readonly StatedFinding[]
}

/** Patches for the findings of a stored result. */
export interface FixTask {
  readonly task: 'fix'
  readonly source: Uint8Array
  readonly result: Uint8Array
  /** Also those that change who may do something or what must succeed. */
  readonly withUnsafe: boolean
}

export interface FindingsPage {
  /** A JSON array. */
  readonly findings: Uint8Array
  readonly total: number
}

export type ScanOutcome = Unreadable | ContractTooLarge | Scanned

/** Time was up before a single contract was analyzed. */
export interface OutOfTime {
  readonly outcome: 'out-of-time'
}

export interface ContractTooLarge {
  readonly outcome: 'contract-too-large'
}

export interface Unreadable {
  readonly outcome: 'unreadable'
  readonly line: number
  readonly reason: string
}

export interface Scanned {
  readonly outcome: 'scanned'
  /** What the client requested, in the requested format. */
  readonly body: Uint8Array
  /** The same, compressed for storage. */
  readonly storedBody: Uint8Array
  /** The source and the JSON result, compressed for storage. */
  readonly storedSource: Uint8Array
  readonly storedResult: Uint8Array
  readonly completeness: ScanResult['completeness']
  readonly securityScore: ScanResult['securityScore']
  readonly counts: Counts
  readonly sha256: string
  readonly fileCount: number
  readonly isProject: boolean
  readonly found: readonly FoundRow[]
  /** The files that were analyzed to their end: what is not found in them is not there. */
  readonly lookedAt: readonly string[]
  /** Time was up before everything was analyzed. */
  readonly isCutShort: boolean
}

/** A finding as a record keeps it. */
export interface FoundRow {
  /** Of its record: the one it has, or gets if nobody else makes one meanwhile. */
  readonly id: string
  readonly file: string
  readonly fingerprint: string
  readonly kind: 'vulnerability' | 'advisory'
  readonly vulnerability_id: string | null
  readonly detector: string
  readonly severity: WireFinding['severity']
  readonly confidence: WireFinding['confidence']
  readonly title: string
  readonly message: string
  readonly contract: string | null
  readonly function: string | null
  readonly line: number
  /** Files of its further places. */
  readonly alsoIn: readonly string[]
}

/** Asks for the question to a model about a scanned file. */
export interface AiPromptTask {
  readonly task: 'ai-prompt'
  readonly source: Uint8Array
  /** The stored result of its scan. */
  readonly result: Uint8Array
  /** Unpredictable: text in the file cannot close a fence it cannot name. */
  readonly nonce: string
}

export interface AiQuestion {
  readonly messages: readonly { readonly role: 'system' | 'user'; readonly content: string }[]
  readonly schema: { readonly name: string; readonly schema: object }
  /** How many findings go along. */
  readonly candidates: number
}

/** Brings the model's answer and the engine's findings together. */
export interface AiMergeTask {
  readonly task: 'ai-merge'
  readonly source: Uint8Array
  readonly result: Uint8Array
  /** The model's words, as they came. */
  readonly answer: string
  readonly facts: {
    readonly scanId: string
    readonly fileName: string
    readonly scannedAt: string
    readonly model: string
    readonly timeTaken: string
    readonly outputFile: string
  }
}

export interface AiMerged {
  /** The answer to the client, as JSON. */
  readonly body: Uint8Array
  readonly storedBody: Uint8Array
  readonly storedResult: Uint8Array
  readonly storedReport: Uint8Array
}
