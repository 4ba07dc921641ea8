import { AssayError } from './assay-error.ts'
import type { Scan, ScanProgress, ScanState } from './generated.ts'

export interface WaitOptions {
  readonly signal?: AbortSignal
  /** Hears of every state that the service tells, the last one too. */
  readonly onProgress?: (scan: ScanState) => void
  /** Pause before the service is asked again when a stream broke off or none was to be had. */
  readonly pauseMs?: number
}

/** A queued scan that ended without a result; `scan.reason` says why. */
export class ScanWithoutResult extends Error {
  readonly scan: ScanProgress

  constructor(scan: ScanProgress) {
    super(scan.reason ?? `The scan was ${scan.status}.`)
    this.name = 'ScanWithoutResult'
    this.scan = scan
  }
}

/** What waiting needs of the service. */
export interface Followed {
  /** Opens the event stream of a scan after the event of this id. */
  open(lastId: string | undefined, signal: AbortSignal | undefined): Promise<Response>
  /** The scan as it stands. */
  read(signal: AbortSignal | undefined): Promise<Scan | ScanProgress>
  pause(milliseconds: number, signal?: AbortSignal): Promise<void>
}

const PAUSE_MS = 2000
/** What passes by itself: too many streams, a restart, a broken connection. */
const passing = new Set([0, 429, 503])

/** Follows a scan to its end by its events, however often their stream breaks off, and gives its result. */
export async function waitForScan(followed: Followed, options: WaitOptions = {}): Promise<Scan> {
  const { signal, onProgress, pauseMs = PAUSE_MS } = options
  let lastId: string | undefined
  for (;;) {
    try {
      const response = await followed.open(lastId, signal)
      for await (const { id, scan } of readEvents(response)) {
        lastId = id
        onProgress?.(scan)
      }
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      if (error instanceof AssayError && !passing.has(error.status)) throw error
    }
    const scan = await followed.read(signal)
    if (scan.status === 'completed') return scan
    if (scan.status === 'failed' || scan.status === 'cancelled') throw new ScanWithoutResult(scan)
    await followed.pause(pauseMs, signal)
  }
}

interface ScanEvent {
  readonly id: string | undefined
  readonly scan: ScanState
}

/** Comments and whatever else is no event of the service are passed over. */
async function* readEvents({ body }: Response): AsyncGenerator<ScanEvent> {
  if (!body) return
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const blocks = (rest + read.value).split(/\r?\n\r?\n/)
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const field = (name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1]
      const data = field('data')
      if (data !== undefined) yield { id: field('id'), scan: JSON.parse(data) as ScanState }
    }
  }
}
