import { type Randomness, randomBase32, systemRandomness, toSortableBase32 } from './randomness.ts'

/** What an id names; the prefix lets a person and a log reader tell ids apart. */
const prefixes = {
  user: 'usr',
  organisation: 'org',
  membership: 'mem',
  invitation: 'ivt',
  registration: 'reg',
  session: 'ses',
  factor: 'fac',
  key: 'key',
  scan: 'scn',
  batch: 'bat',
  project: 'prj',
  finding: 'fnd',
  report: 'rep',
  shareLink: 'lnk',
  webhook: 'whk',
  delivery: 'dlv',
  message: 'msg',
  job: 'job',
  event: 'evt',
  checkout: 'chk',
  subscription: 'sub',
  customer: 'cus',
  invoice: 'inv',
  mail: 'mail',
  request: 'req',
} as const

export type IdKind = keyof typeof prefixes

/** 26 letters of five bits: 130 unguessable bits. */
const RANDOM_LETTERS = 26
const TIME_LETTERS = 10

/** An unguessable id such as `usr_…`. */
export const newId = (kind: IdKind, randomness: Randomness = systemRandomness): string =>
  `${prefixes[kind]}_${randomBase32(randomness, RANDOM_LETTERS)}`

/** An unguessable id that sorts by the moment of its making: what is listed newest first. */
export const newSortableId = (kind: IdKind, at: Date, randomness: Randomness = systemRandomness): string =>
  `${prefixes[kind]}_${toSortableBase32(at.getTime(), TIME_LETTERS)}${randomBase32(randomness, RANDOM_LETTERS)}`

/** Whether a text could be an id of this kind at all; saves a query for a malformed one. */
export const looksLikeId = (kind: IdKind, text: string): boolean =>
  text.length <= 64 && text.startsWith(`${prefixes[kind]}_`) && /^[a-z]+_[0-9a-z]+$/.test(text)
