/**
 * What became of the attempt to execute a finding; made by the prover, shown by every format. `confirmed` is a verified exploit: someone gained
 * or lost, and not in the control run. `executed`: the flagged code did what it is flagged for, and nobody was harmed.
 */
export type EvidenceStatus = 'confirmed' | 'executed' | 'not-reproduced' | 'not-attempted'

export interface EvidenceStep {
  /** `owner`, `alice`, `bob`, `attacker`, the last perhaps as `attacker's contract`. */
  readonly actor: string
  /** `Vault.withdraw(uint256)`, or words for what is no call. */
  readonly call: string
  readonly arguments: readonly string[]
  /** Wei, as decimal digits. */
  readonly value: string
  readonly effect: string
}

/** What everybody in the scene has: wei, or the smallest units of a token, as decimal digits. */
export interface EvidenceBalance {
  readonly holder: string
  /** Absent: ether. */
  readonly token?: string
  readonly before: string
  readonly after: string
}

export interface EvidenceControl {
  /** What the vulnerability's own lever was replaced by. */
  readonly change: string
  readonly result: string
}

export interface Evidence {
  readonly status: EvidenceStatus
  /** One sentence: the harm that was seen, how much was tried, or why nothing was. */
  readonly summary: string
  /** How the scene was set. */
  readonly scene: readonly EvidenceStep[]
  /** The attack. */
  readonly steps: readonly EvidenceStep[]
  readonly balances: readonly EvidenceBalance[]
  readonly control: EvidenceControl | null
  /** Calls and contract creations that were executed for this finding. */
  readonly callsTried: number
  /** Decides what the chain decides; the same seed gives the same evidence. */
  readonly seed: number
  readonly compiler: string | null
  /** Release of the library sources that completed the files; absent: they were complete. */
  readonly libraries?: string
  /** Executes the attack again; it imports the scanned file. */
  readonly foundryTest: { readonly file: string; readonly text: string } | null
}

const words: Record<EvidenceStatus, string> = {
  confirmed: 'Verified exploit',
  executed: 'Executed, no harm shown',
  'not-reproduced': 'Not reproduced',
  'not-attempted': 'Not attempted',
}

/** The first line of the story. */
export const evidenceTitle = ({ status, summary }: Evidence): string =>
  hasSteps(status) ? `${words[status]}: ${summary}.` : `${sentence(summary)}.`

/** Something was executed: there are steps to show. */
export const hasSteps = (status: EvidenceStatus): boolean => status === 'confirmed' || status === 'executed'

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** A step of the attack in one line. */
export const evidenceLine = ({ actor, call, arguments: given, value, effect }: EvidenceStep): string => {
  const sent = value === '0' ? '' : ` with ${etherOf(value)}`
  return `${actor}: ${call}${given.length > 0 ? ` [${given.join(', ')}]` : ''}${sent} → ${effect}`
}

/** Numbers with so few digits are shown in wei, as the effects of a step are. */
const digitsOfWei = 12

/** Wei as ether, without digits that say nothing. */
export const etherOf = (wei: string): string => {
  const sign = wei.startsWith('-') ? '-' : ''
  if (wei !== '0' && wei.length - sign.length <= digitsOfWei) return `${wei} wei`
  const digits = wei.replace('-', '').padStart(19, '0')
  const small = digits.slice(-18).replace(/0+$/, '')
  return `${sign}${digits.slice(0, -18)}${small ? `.${small}` : ''} ether`
}

export interface BalanceChange {
  readonly holder: string
  readonly token?: string
  readonly change: bigint
  /** Of the largest change of the same asset, 0 to 1. */
  readonly share: number
}

/** Who gained and who lost: ether first, then token by token, largest change first. */
export const balanceChanges = ({ balances }: Evidence): BalanceChange[] => {
  const assets = [...new Set(balances.map(({ token }) => token))].sort((a, b) => Number(!!a) - Number(!!b))
  return assets.flatMap((asset) => {
    const changes = balances
      .filter(({ token }) => token === asset)
      .map(({ before, after, ...rest }) => ({ ...rest, change: BigInt(after) - BigInt(before) }))
      .filter(({ change }) => change !== 0n)
      .sort((a, b) => (size(b.change) > size(a.change) ? 1 : -1))
    const largest = size(changes[0]?.change ?? 1n)
    // Numbers of this size do not fit into a float: four digits of the share do.
    return changes.map((each) => ({ ...each, share: Number((size(each.change) * 10_000n) / largest) / 10_000 }))
  })
}

/** An amount of ether, or of a token. */
export const amountOf = (digits: string, token: string | undefined): string =>
  token ? `${digits} units of ${token}` : etherOf(digits)

const size = (value: bigint): bigint => (value < 0n ? -value : value)
