import { z } from 'zod'
import { labels, rating, scanState, sourcesDocument } from './scan-schemas.ts'

export const exampleBatchId = 'bat_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4'

/** Many scans in JSON. */
export const batchDocument = z
  .union([
    z.object({
      scans: z.array(sourcesDocument).describe('Each as POST /api/v1/scan/sources takes it.'),
      ...labels,
    }),
    z.object({
      sources: z.record(z.string(), z.object({ content: z.string() })).describe('Each source is a scan of its own.'),
      ...labels,
    }),
  ])
  .meta({ id: 'BatchDocument' })

export const batchAccepted = z
  .object({
    success: z.literal(true),
    message: z.string(),
    batchId: z.string(),
    total: z.int(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'BatchAccepted' })

const batchScan = scanState
  .extend({
    score: z.int().nullable().describe('Null without a result, as the next two.'),
    rating: rating.nullable(),
    vulnerabilitiesCount: z.int().nullable(),
  })
  .meta({ id: 'BatchScan' })

export const batch = z
  .object({
    batchId: z.string(),
    status: z.enum(['running', 'completed']).describe('`completed` when nothing is left to be done.'),
    total: z.int(),
    counts: z
      .object({
        queued: z.int(),
        running: z.int(),
        completed: z.int(),
        failed: z.int(),
        cancelled: z.int(),
      })
      .describe('Of the scans that are still there: one that was deleted is not counted.'),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime(),
    scans: z.array(batchScan).describe('One page, in the order of the upload.'),
    nextCursor: z.string().nullable(),
  })
  .meta({ id: 'Batch' })

export const exampleBatch = {
  batchId: exampleBatchId,
  status: 'running',
  total: 2,
  counts: { queued: 1, running: 0, completed: 1, failed: 0, cancelled: 0 },
  createdAt: '2026-03-10T12:00:00.000Z',
  expiresAt: '2026-04-09T12:00:00.000Z',
  scans: [],
  nextCursor: null,
}
