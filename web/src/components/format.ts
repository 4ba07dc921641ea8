const dateTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const dateOnly = new Intl.DateTimeFormat(undefined, { dateStyle: 'long' })
const money = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

export const formatTime = (iso: string | null | undefined): string => (iso ? dateTime.format(new Date(iso)) : 'never')
export const formatDate = (iso: string): string => dateOnly.format(new Date(iso))
export const formatUsd = (dollars: number): string => money.format(dollars)

export function formatBytes(bytes: number): string {
  if (bytes >= 1024 * 1024) return `${trim(bytes / (1024 * 1024))} MB`
  return bytes >= 1024 ? `${trim(bytes / 1024)} KB` : `${bytes} bytes`
}

const trim = (value: number): string => String(Math.round(value * 10) / 10)
