import { z } from 'zod'
import { timestamp } from './fields.ts'
import {
  completeness,
  exampleScanId,
  exampleTally,
  exampleVerdict,
  gateVerdict,
  rating,
  setAside,
  tally,
} from './scan-schemas.ts'

/** A word of a project: written as in a list that commas separate. */
export const projectTag = z
  .string()
  .trim()
  .min(1)
  .max(30)
  .regex(/^[^,\p{C}]+$/u, { error: 'must not have commas or control characters' })
  .meta({ example: 'defi' })

export const gateSetting = z
  .object({
    failOn: z
      .enum(['critical', 'high', 'medium', 'low', 'info'])
      .describe('An open finding of this severity or a higher one fails a run; findings that need review never do.'),
    onlyNew: z
      .boolean()
      .default(false)
      .describe(
        'Only new findings count. On the default branch: first seen after the gate was set. On another branch: not open on the default branch.',
      ),
  })
  .meta({ id: 'GateSetting', example: { failOn: 'high', onlyNew: true } })

const scopeEntry = (schema: z.ZodString) => z.array(schema).max(50)

export const scopeSetting = z
  .object({
    exclude: scopeEntry(z.string().trim().min(1).max(400))
      .default([])
      .describe('Folders and files that are read so that others are understood, but not reported.'),
    remappings: scopeEntry(
      z
        .string()
        .trim()
        .max(400)
        .regex(/^[^=\s]+=\S+$/, { error: 'must be written as in remappings.txt' }),
    )
      .default([])
      .describe('As in remappings.txt; they go before those of an upload.'),
  })
  .meta({ id: 'ProjectScope', example: { exclude: ['src/legacy'], remappings: ['@vendor/=lib/vendor/src/'] } })

export const project = z
  .object({
    id: z.string(),
    name: z.string(),
    defaultRef: z
      .string()
      .nullable()
      .describe(
        'The branch that decides the states of findings and the score; null: scans that were sent without one.',
      ),
    isDefaultRefSet: z.boolean().describe('False: `main`, else `master`, else the first branch that was scanned.'),
    tags: z.array(z.string()).describe('Words that group projects.'),
    gate: gateSetting
      .extend({ onlyNew: z.boolean(), since: timestamp.describe('When it was set so.') })
      .meta({ id: 'Gate' })
      .nullable()
      .describe('What fails a run; null: nothing does.'),
    scope: scopeSetting
      .extend({ exclude: z.array(z.string()), remappings: z.array(z.string()) })
      .meta({ id: 'Scope' })
      .nullable()
      .describe('What of uploads of several files is reported, and how imports are found; null: as the upload says.'),
    scans: z.int(),
    score: z.int().describe('Of the newest scan of the default branch.'),
    rating,
    setAside: setAside.nullable(),
    trend: z
      .array(
        z.object({
          scanId: z.string(),
          at: timestamp,
          score: z.int(),
          rating,
          vulnerabilitiesCount: z.int(),
          critical: z.int(),
          high: z.int(),
          tally: tally.nullable().describe('All findings by severity; null for scans made before it was kept.'),
          completeness,
          ref: z.string().nullable(),
          commit: z.string().nullable(),
          gate: gateVerdict.nullable(),
        }),
      )
      .describe('Of all branches, the newest first, at most 50.'),
  })
  .meta({ id: 'Project' })

export const exampleProject = {
  id: 'prj_01jny2q8kq6q2t4m8x0c7v3r5n9w1b2d3f4',
  name: 'vault',
  defaultRef: 'main',
  isDefaultRefSet: false,
  tags: ['defi', 'audited'],
  gate: { failOn: 'high', onlyNew: true, since: '2026-03-01T12:00:00.000Z' },
  scope: { exclude: ['src/legacy'], remappings: [] },
  scans: 12,
  score: 84,
  rating: 'Good',
  setAside: null,
  trend: [
    {
      scanId: exampleScanId,
      at: '2026-03-10T12:00:00.000Z',
      score: 84,
      rating: 'Good',
      vulnerabilitiesCount: 2,
      critical: 0,
      high: 1,
      tally: exampleTally,
      completeness: 'full',
      ref: 'main',
      commit: '3f9c1ab',
      gate: exampleVerdict,
    },
  ],
}
