import { z } from 'zod'
import { server as texts } from '../messages/mcp.ts'
import type { Located } from '../scan/causes.ts'

export const severities = ['critical', 'high', 'medium', 'low', 'info'] as const
export const confidences = ['high', 'medium', 'low'] as const

/** A finding as every tool answers it. */
export const findingSchema = z.object({
  detector: z.string(),
  swc: z.string().nullable(),
  advisory: z.boolean().describe(texts.outsideSwcListNot),
  needsReview: z.boolean(),
  title: z.string(),
  severity: z.enum(severities),
  confidence: z.enum(confidences),
  place: z.string().describe('file:line:column'),
  scope: z.string().describe('Contract.function'),
  message: z.string(),
  snippet: z.string(),
  trace: z.array(z.string()),
  recommendation: z.string(),
  fingerprint: z.string(),
})

export const toFinding = ({ path, finding, isAdvisory }: Located): z.infer<typeof findingSchema> => ({
  detector: finding.detector,
  swc: finding.vulnerabilityId ?? null,
  advisory: isAdvisory,
  needsReview: finding.kind === 'review',
  title: finding.title,
  severity: finding.severity,
  confidence: finding.confidence,
  place: `${path}:${finding.line}:${finding.column}`,
  scope: [finding.contract, finding.function].filter(Boolean).join('.'),
  message: finding.message,
  snippet: finding.snippet.slice(0, 400),
  trace: finding.trace.slice(0, 8).map((step) => `${step.file ?? path}:${step.line}: ${step.message}`),
  recommendation: finding.recommendation,
  fingerprint: finding.fingerprint,
})
