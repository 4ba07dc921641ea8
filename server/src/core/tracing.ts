import { AsyncLocalStorage } from 'node:async_hooks'

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>

/** One step of a trace, as far as the service knows it; the collector makes them. */
export interface Span {
  begin(name: string, attributes?: SpanAttributes): Span
  set(attributes: SpanAttributes): void
  /** The error's name is noted, never its words: they may hold what nobody should read. */
  fail(error: unknown): void
  end(): void
}

/** Where traces go, when they go anywhere. */
export interface Tracing {
  /** The first step of a request; `traceparent` (W3C) names the step before, if it is to be believed. */
  beginRequest(name: string, attributes: SpanAttributes, traceparent: string | undefined): Span
  /** The first step of one try of a background job: a trace of its own, since its sender was answered long ago. */
  beginJob(name: string, attributes: SpanAttributes): Span
  close(): Promise<void>
}

const current = new AsyncLocalStorage<Span>()

export const currentSpan = (): Span | undefined => current.getStore()

export const inSpan = <T>(span: Span, work: () => T): T => current.run(span, work)

/** Does the work as a step of the trace that is going on; costs nothing when there is none. */
export async function traced<T>(name: string, work: () => Promise<T>, attributes?: SpanAttributes): Promise<T> {
  const span = current.getStore()?.begin(name, attributes)
  return span ? asSpan(span, work) : work()
}

/** Does the work as this step, and ends it. */
export async function asSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    return await current.run(span, work)
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}
