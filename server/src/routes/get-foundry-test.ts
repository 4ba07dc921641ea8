import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import type { AnalyseDeps } from '../services/analyse.ts'
import { getFoundryTest, type HistoryDeps } from '../services/history.ts'

export default defineRoute({
  method: 'GET',
  url: '/api/v1/scans/:scanId/tests/:fingerprint',
  summary: 'The attack on a confirmed finding as a Foundry test',
  description:
    'Self-contained: the scanned file, the contracts of the attacker, the steps and the assertion. It passes while the attack works and fails once the vulnerability is fixed. Only scans made with `prove=true` have tests.',
  tag: 'History',
  access: 'key-or-session',
  organisation: 'auditor',
  params: z.object({ scanId: z.string(), fingerprint: z.string() }),
  responses: { 200: { description: 'The test.', contentType: 'text/plain' } },
  refusals: ['keyMissing', 'keyInvalid', 'hourSpent', 'scanNotFound'],
  async handle(deps: HistoryDeps & AnalyseDeps, { caller, params, reply }) {
    const test = await getFoundryTest(deps, caller.accountId, params.scanId, params.fingerprint)
    return reply
      .headers({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `attachment; filename="attack.t.sol"`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(test)
  },
})
