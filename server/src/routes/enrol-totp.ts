import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { label } from '../http/fields.ts'
import { currentPassword } from '../http/second-factor-fields.ts'
import { enrolTotp, type SecondFactorDeps } from '../services/second-factors.ts'

export default defineRoute({
  method: 'POST',
  url: '/api/v1/second-factors/totp',
  summary: 'Begin to use an authenticator app',
  description: 'It asks for nothing until a code of it was confirmed.',
  tag: 'Accounts',
  access: 'session',
  noStore: true,
  body: z.object({ name: label.default('Authenticator app'), password: currentPassword }),
  responses: {
    200: {
      description: 'The secret, shown this once.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({
          id: z.string(),
          secret: z.string().meta({ description: 'Base32, to be typed in.' }),
          uri: z.string().meta({ description: '`otpauth://…`, to be shown as a QR code.' }),
        }),
      }),
      example: {
        success: true,
        data: {
          id: 'fac_3d5f7g9h1j3k5l7z9x1c3v5b7n',
          secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
          uri: 'otpauth://totp/Assay:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Assay',
        },
      },
    },
  },
  refusals: ['passwordWrong', 'tooManyFactors', 'tooManyLogins', 'busy'],
  async handle(deps: SecondFactorDeps, { caller, body, client }) {
    return { success: true, data: await enrolTotp(deps, caller.accountId, body, client) }
  },
})
