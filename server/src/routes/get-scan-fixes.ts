import { z } from 'zod'
import { mediaTypes } from '../http/choose-format.ts'
import { defineRoute } from '../http/define-route.ts'
import type { AnalyseDeps } from '../services/analyse.ts'
import { getFixes, type HistoryDeps } from '../services/history.ts'

const patch = z.object({
  file: z.string(),
  line: z.int(),
  column: z.int(),
  fingerprint: z.string(),
  detector: z.string(),
  title: z.string(),
  isSafe: z.boolean().describe('False: it changes who may do something, or what must succeed. Read it first.'),
})

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId/fixes',
  summary: 'Patches for the findings of a scan',
  description:
    'Unified diffs for `git apply`. A patch is kept when its finding is gone in another scan, none has come and the file still parses. Nothing is compiled: test before you commit. `assay fix` does the same on the command line.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string() }),
  query: z.object({
    unsafe: z
      .enum(['true', 'false'])
      .default('false')
      .describe('Also patches that change who may do something, or what must succeed.'),
  }),
  responses: {
    200: {
      description: 'What can be patched by rule; an empty list where nothing can.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          patches: z.array(patch),
          files: z.array(z.object({ path: z.string(), diff: z.string() })),
          refused: z.int().describe('Patches after which a finding stayed or came.'),
          notTried: z.int().describe('Patches for which there was no time; apply the others and scan again.'),
        }),
      }),
      example: {
        success: true,
        data: {
          patches: [
            {
              file: 'Token.sol',
              line: 1,
              column: 1,
              fingerprint: 'b93aa22050099405e141d3afee59979f',
              detector: 'floating-pragma',
              title: 'Pin the pragma to 0.8.28',
              isSafe: true,
            },
          ],
          files: [
            {
              path: 'Token.sol',
              diff: '--- a/Token.sol\n+++ b/Token.sol\n@@ -1,2 +1,2 @@\n-pragma solidity ^0.8.0;\n+pragma solidity 0.8.28;\n contract Token {}\n',
            },
          ],
          refused: 0,
          notTried: 0,
        },
      },
    },
  },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'scanNotFound'],
  async handle(deps: HistoryDeps & AnalyseDeps, { caller, params, query, reply }) {
    const fixes = await getFixes(deps, caller.accountId, params.scanId, query.unsafe === 'true')
    return reply.type(mediaTypes.json).send(fixes)
  },
})
