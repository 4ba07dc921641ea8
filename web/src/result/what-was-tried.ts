const unattacked = {
  weakness: 'not verified: time limit reached',
  advisory: 'not verified: time limit reached',
  suppressed: 'not verified: suppressed in code',
  model: 'not verified: found by AI only',
}

interface Told {
  status: string
  summary?: string | undefined
}

/** Of a finding that no attack confirmed: what was tried, or why nothing was. */
export function whatWasTried(evidence: Told | undefined, listed: keyof typeof unattacked): string | undefined {
  if (evidence?.status === 'confirmed') return undefined
  const words = evidence ? (evidence.summary ?? evidence.status) : unattacked[listed]
  return words.endsWith('.') ? words : `${words}.`
}
