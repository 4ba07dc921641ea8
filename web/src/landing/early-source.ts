import { takeEarlySource } from './early-page.ts'

let typed: string | undefined

/** Before the application takes the place of the early page. */
export function rememberEarlySource(page: Document): void {
  typed = takeEarlySource(page)
}

export const earlySource = (): string | undefined => typed
