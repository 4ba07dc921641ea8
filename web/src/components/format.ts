const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const toTheSecond = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export const formatTime = (iso: string | null | undefined): string => (iso ? dateTime.format(new Date(iso)) : 'never')
/** Where two of the same minute are to be distinguished. */
export const formatSecond = (iso: string): string => toTheSecond.format(new Date(iso))
export const formatDate = (iso: string): string => dateOnly.format(new Date(iso))
export const formatUsd = (dollars: number): string => money.format(dollars)

export function formatBytes(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${trim(bytes / (1024 * 1024))} MB`
  return bytes >= 1024 ? `${trim(bytes / 1024)} KB` : `${bytes} bytes`
}

const trim = (value: number): string => String(Math.round(value * 10) / 10)

const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const spans = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const

/** `3 hours ago`; the exact time belongs in the title beside it. */
export function formatAgo(iso: string, now = Date.now()): string {
  const seconds = (new Date(iso).getTime() - now) / 1000
  const span = spans.find(([, length]) => Math.abs(seconds) >= length)
  return span ? ago.format(Math.round(seconds / span[1]), span[0]) : 'just now'
}
