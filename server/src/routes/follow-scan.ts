import { z } from 'zod'
import { scanStatuses } from '../core/scan-status.ts'
import { answerFollowScan, type StreamDeps } from '../http/answer-follow-scan.ts'
import { defineRoute } from '../http/define-route.ts'
import { scanState } from '../http/scan-schemas.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId/events',
  summary: 'Follow a scan as it goes on',
  description:
    'A stream of server-sent events, each named after the status of the scan: how it stands now, every change, and its end, with which the stream ends. While it is queued `position` counts down. A client that reconnects with `Last-Event-ID` gets what changed since; comments keep the connection alive. At most 20 streams of an account at a time.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string() }),
  requestHeaders: { 'Last-Event-ID': 'The id of the last event that was received; browsers send it by themselves.' },
  responses: {
    200: {
      description: 'The stream.',
      contentType: 'text/event-stream',
      events: Object.fromEntries(scanStatuses.map((status) => [status, scanState])),
    },
    204: { description: 'The scan has ended, and the client knows how: there is nothing to wait for.' },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'scanNotFound', 'tooManyStreams', 'busy'],
  handle: (deps: StreamDeps, { caller, params, request, reply }) =>
    answerFollowScan(deps, { accountId: caller.accountId, scanId: params.scanId }, request, reply),
})
