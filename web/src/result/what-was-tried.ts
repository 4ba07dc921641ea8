/** Only what lowers the score is attacked. */
const unattacked = {
  weakness: 'not attempted: the prover did not get to it',
  advisory: 'not attempted: advisories are not attacked',
  suppressed: 'not attempted: what a comment suppresses is not attacked',
  model: 'not attempted: what a model alone found is not attacked',
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
