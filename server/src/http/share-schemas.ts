import { z } from 'zod'
import { timestamp } from './fields.ts'
import { findingState } from './finding-schemas.ts'
import { exampleEntry, exampleResult, exampleScanId, scanRecord } from './scan-schemas.ts'

export const follows = z
  .enum(['scan', 'project'])
  .describe('One scan for as long as it is kept, or always the newest of its project.')

export const shows = z
  .enum(['badge', 'findings', 'source'])
  .describe('The score alone, as a picture; the findings without the lines they quote; or the source too.')

export const shareLink = z
  .object({
    id: z.string(),
    follows,
    scanId: z.string().nullable().describe('Null where it follows a project.'),
    project: z.string().nullable().describe('Null where it shows one scan.'),
    name: z.string().describe('Of the file or the project.'),
    shows,
    createdBy: z.string().nullable(),
    createdAt: timestamp,
    expiresAt: timestamp,
  })
  .meta({ id: 'ShareLink' })

export const newShareLink = shareLink
  .extend({
    url: z.string().nullable().describe('Told this once. Null for a badge.'),
    badgeUrl: z.string().describe('A picture of the score, as SVG. Told this once.'),
  })
  .meta({ id: 'NewShareLink' })

export const sharedScan = scanRecord
  .omit({ gate: true })
  .extend({
    shared: z.object({
      includesSource: z.boolean(),
      expiresAt: timestamp,
      states: z
        .array(z.object({ file: z.string(), fingerprint: z.string(), state: findingState }))
        .describe('Of findings that are no longer open. Reasons and names are not shared.'),
    }),
  })
  .meta({ id: 'SharedScan' })

export const exampleLink = {
  id: 'lnk_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4',
  follows: 'scan',
  scanId: exampleScanId,
  project: null,
  name: 'Vault.sol',
  shows: 'findings',
  createdBy: 'ada@example.com',
  createdAt: '2026-03-10T12:00:00.000Z',
  expiresAt: '2026-04-09T12:00:00.000Z',
} as const

const exampleToken = 'J4k7wPz2mQ9rT5vX8bN1cL3dF6gH0sY4aE7uI2oR5pK'

export const exampleNewLink = {
  ...exampleLink,
  url: `https://assay.example.com/shared#${exampleToken}`,
  badgeUrl: `https://assay.example.com/api/v1/shared/${exampleToken}/badge.svg`,
}

const { gate: _, ...sharedEntry } = exampleEntry

export const exampleShared = {
  ...exampleResult,
  ...sharedEntry,
  project: 'vault',
  ref: 'main',
  commit: '3f9c1ab',
  shared: {
    includesSource: false,
    expiresAt: '2026-04-09T12:00:00.000Z',
    states: [{ file: 'Vault.sol', fingerprint: '5d1f3a9c7b2e4f60', state: 'accepted' }],
  },
}

/** Nothing of a link is for search engines, and none of it is kept by a cache. */
export const unlisted = { 'x-robots-tag': 'noindex, nofollow, noarchive' }
