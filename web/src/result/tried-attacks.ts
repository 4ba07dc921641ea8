import { whatWasTried as texts } from '../messages/result.ts'

const unattacked = {
  weakness: texts.notVerifiedTimeLimit,
  advisory: texts.notVerifiedTimeLimit,
  suppressed: texts.notVerifiedSuppressedCode,
  model: texts.notVerifiedFoundAi,
}

interface Attempt {
  status: string
  summary?: string | undefined
}

/** Of a finding that no attack confirmed: what was tried, or why nothing was. */
export function whatWasTried(evidence: Attempt | undefined, listed: keyof typeof unattacked): string | undefined {
  if (evidence?.status === 'confirmed') return undefined
  const words = evidence ? (evidence.summary ?? evidence.status) : unattacked[listed]
  return words.endsWith('.') ? words : `${words}.`
}
