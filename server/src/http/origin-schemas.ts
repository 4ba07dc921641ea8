import { z } from 'zod'

export const originsAnswer = z.object({ success: z.literal(true), data: z.object({ origins: z.array(z.string()) }) })

export const exampleOrigins = { success: true, data: { origins: ['https://remix.ethereum.org'] } } as const
