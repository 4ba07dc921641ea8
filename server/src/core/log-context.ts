import { AsyncLocalStorage } from 'node:async_hooks'

/** What each line of the log says that is written in the course of one request, job or scan. */
export interface LogContext {
  /** Of the request that began it all, however many jobs lie between. */
  readonly requestId?: string | undefined
  readonly scanId?: string | undefined
  readonly job?: string | undefined
}

const current = new AsyncLocalStorage<LogContext>()

export const readLogContext = (): LogContext => current.getStore() ?? {}

/** Does the work in this context; what it does not name stays as it is. */
export const inLogContext = <T>(more: LogContext, work: () => T): T =>
  current.run({ ...current.getStore(), ...more }, work)

/** Work that began under this very object goes on with it. */
export const resumeLogContext = <T>(context: LogContext, work: () => T): T => current.run(context, work)

/** Adds to the context that is going on, for all that follows in it. */
export function noteInLog(more: LogContext): void {
  Object.assign(current.getStore() ?? {}, more)
}
