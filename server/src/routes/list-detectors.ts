import { z } from 'zod'
import { defineRoute } from '../http/define-route.ts'
import { listDetectors } from '../services/catalogue.ts'

const detector = z
  .object({
    id: z.string(),
    swc: z.string().nullable().describe('Null: not in the SWC registry, reported as an advisory.'),
    name: z.string(),
    registryTitle: z
      .string()
      .nullable()
      .describe('What the SWC registry calls the number; null without one. `name` is that of the interface.'),
    title: z.string(),
    severity: z.enum(['critical', 'high', 'medium', 'low', 'info']),
    confidence: z.enum(['high', 'medium', 'low']),
    description: z.string(),
    recommendation: z.string(),
    references: z.array(z.string()),
    cwe: z.array(z.string()),
    aliases: z
      .array(z.string())
      .describe('Names elsewhere: SWC, CWE, OWASP and SCWE numbers, ids of Slither and Aderyn, everyday words.'),
    examples: z.object({ vulnerable: z.string(), safe: z.string() }).nullable(),
    knownLimits: z.array(z.string()),
    attackScenario: z.array(z.string()).describe('How it is exploited, step by step.'),
    incidents: z
      .array(z.string())
      .describe(
        'Publicly known losses: name (date, loss), what went wrong, and in some a Markdown link to an analysis.',
      ),
  })
  .meta({ id: 'Detector' })

export default defineRoute({
  method: 'GET',
  url: '/api/v1/detectors',
  summary: 'What the engine detects',
  tag: 'Catalogue',
  access: 'public',
  needsDatabase: false,
  list: 'detectors',
  responses: {
    200: {
      description: 'Every detector with a vulnerable and a fixed example.',
      schema: z.object({
        success: z.literal(true),
        data: z.object({ detectors: z.array(detector), total: z.int() }),
      }),
      example: {
        success: true,
        data: {
          detectors: [
            {
              id: 'floating-pragma',
              swc: 'SWC-103',
              name: 'Floating Pragma',
              registryTitle: 'Floating Pragma',
              title: 'Floating pragma',
              severity: 'high',
              confidence: 'high',
              description: 'The pragma allows more than one compiler version.',
              recommendation: 'Pin the compiler version the contract was tested with.',
              references: ['https://swcregistry.io/docs/SWC-103'],
              cwe: ['CWE-664'],
              aliases: ['SWC-103', 'CWE-664', 'SCWE-060', 'solc-version', 'unlocked pragma'],
              examples: { vulnerable: 'pragma solidity ^0.8.0;\n…', safe: 'pragma solidity 0.8.28;\n…' },
              knownLimits: [],
              attackScenario: [
                'The contract is tested with one compiler and deployed with another that the pragma also allows.',
              ],
              incidents: [],
            },
          ],
          total: 1,
        },
      },
    },
  },
  refusals: [],
  async handle(_deps: object, { reply }) {
    const all = await listDetectors()
    reply.header('cache-control', 'public, max-age=300')
    return { success: true, data: { detectors: all, total: all.length } }
  },
})
