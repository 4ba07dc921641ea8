import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { deleteScan, type HistoryDeps } from '../services/history.ts'
import type { NoteChangeDeps } from '../services/note-change.ts'

export default defineRoute({
  method: 'DELETE',
  url: '/api/v1/scans/:scanId',
  summary: 'Delete a scan for good',
  description: 'Source, findings and reports are gone at once. The quota is not given back.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'member',
  params: z.object({ scanId: z.string() }),
  responses: {
    200: {
      description: 'It is gone.',
      schema: z.object({ success: z.literal(true), message: z.string() }),
      example: { success: true, message: 'Scan deleted.' },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'crossSite', 'hourSpent', 'scanNotFound'],
  async handle(deps: HistoryDeps & NoteChangeDeps, { caller, client, params }) {
    await deleteScan(deps, { caller, client }, params.scanId)
    return { success: true, message: 'Scan deleted.' }
  },
})
