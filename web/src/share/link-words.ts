/** What a link opens to its reader, in words. */
import { linkWords as texts } from '../messages/share.ts'

export const showsWords = {
  findings: texts.findingsWithoutSource,
  source: texts.findingsSource,
  badge: texts.badgeScore,
} as const
export type Shows = keyof typeof showsWords

export const daysOffered = [7, 30, 90, 365] as const

const DAY_MS = 86_400_000

/** A link for so many days ends at this moment; a year less a minute, since the service counts from its own clock. */
export const endOf = (days: number, now: Date): string => new Date(now.getTime() + days * DAY_MS - 60_000).toISOString()

/** For a README: the picture, leading to the service. */
export const badgeMarkdown = (badgeUrl: string): string =>
  `[![Assay score](${badgeUrl})](${new URL('/', badgeUrl).href})`

/** The token of a link stands after the #, which no server sees. */
export function readToken(hash: string): string {
  const token = hash.replace(/^#/, '').trim()
  return /^[A-Za-z0-9]{20,100}$/.test(token) ? token : ''
}
