import { z } from 'zod'

export const providerId = z
  .string()
  .min(1)
  .max(20)
  .meta({ description: '`github`, `google` or `oidc`, as far as it is configured.', example: 'github' })
