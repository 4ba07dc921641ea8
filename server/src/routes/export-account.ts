import { z } from 'zod'
import { ownPassword } from '../http/account-schemas.ts'
import { attachment } from '../http/content-disposition.ts'
import { defineRoute } from '../http/define-route.ts'
import { type ExportDeps, exportAccount } from '../services/export-account.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/account/export',
  summary: 'Everything that is kept of you',
  description:
    'One JSON document a line, told apart by `kind`: the account, sessions, keys and webhooks without their secrets, organisations, links, the security log, findings, and each scan with its result and source.',
  tag: 'Accounts',
  access: 'session',
  body: z.object({ password: ownPassword }),
  responses: { 200: { description: 'As an attachment.', contentType: 'application/x-ndjson' } },
  refusals: ['passwordWrong', 'tooManyLogins', 'busy'],
  async handle(deps: ExportDeps, { caller, client, body, reply }) {
    const lines = await exportAccount(deps, { accountId: caller.accountId, client }, body.password)
    return reply
      .headers({
        'content-type': 'application/x-ndjson; charset=utf-8',
        'content-disposition': attachment('assay-account.ndjson'),
        'x-content-type-options': 'nosniff',
      })
      .send(lines)
  },
})
