import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { timestamp } from '../http/fields.ts'
import { exampleScanId, rating, setAside } from '../http/scan-schemas.ts'
import { type FindingDeps, listProjects } from '../services/findings.ts'

const project = z
  .object({
    name: z.string(),
    scans: z.int(),
    score: z.int().describe('Of the newest scan.'),
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
          ref: z.string().nullable(),
          commit: z.string().nullable(),
        }),
      )
      .describe('The newest first, at most 50.'),
  })
  .meta({ id: 'Project' })

export default defineRoute({
  method: 'GET',
  url: '/api/v1/projects',
  summary: 'Your projects and how their scores went',
  description: 'Scans are grouped by the `project` that was sent with them, or else by the name of the file.',
  tag: 'Findings',
  access: 'key-or-session',
  organisation: 'auditor',
  responses: {
    200: {
      description: 'Those with scans that are still kept.',
      schema: z.object({ success: z.literal(true), data: z.object({ projects: z.array(project) }) }),
      example: {
        success: true,
        data: {
          projects: [
            {
              name: 'vault',
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
                  ref: 'main',
                  commit: '3f9c1ab',
                },
              ],
            },
          ],
        },
      },
    },
  },
  refusals: [],
  handle: async (deps: FindingDeps, { caller }) => ({
    success: true,
    data: { projects: await listProjects(deps, caller.accountId) },
  }),
})
