import { type Severity, severities } from '../components/severities.ts'
import { isSetAside } from './decisions.ts'
import type { ListedFinding } from './scan-view.ts'

/** The severity of a finding still to be worked on, in the SWC list or not, or one of the lists beside them. */
export type Chip = Severity | 'model' | 'review' | 'decided' | 'fixed' | 'suppressed'
export const chips: readonly Chip[] = [...severities, 'model', 'review', 'decided', 'fixed', 'suppressed']

export type LeastConfidence = 'low' | 'medium' | 'high'
export const leastConfidences: readonly LeastConfidence[] = ['low', 'medium', 'high']

export interface Filter {
  /** None chosen shows all. */
  readonly chips: readonly Chip[]
  readonly least: LeastConfidence
  readonly query: string
}

export const noFilter: Filter = { chips: [], least: 'low', query: '' }

/** Each finding is under exactly one chip, so that the counts add up to all there are. */
export function chipOf(item: ListedFinding): Chip {
  if (isSetAside(item)) return 'decided'
  if (item.state === 'fixed') return 'fixed'
  if (item.listed === 'suppressed' || item.listed === 'model') return item.listed
  return item.finding.kind === 'review' ? 'review' : item.finding.severity
}

export function countChips(items: readonly ListedFinding[]): Record<Chip, number> {
  const counts = Object.fromEntries(chips.map((chip) => [chip, 0])) as Record<Chip, number>
  for (const item of items) counts[chipOf(item)]++
  return counts
}

export interface Filtered {
  shown: ListedFinding[]
  /** How many the confidence filter alone keeps out of sight. */
  hiddenByConfidence: number
}

/** Other names of a detector, by its id: those of other tools and catalogs, and everyday words. */
export type Aliases = ReadonlyMap<string, readonly string[]>

export function applyFilter(items: readonly ListedFinding[], filter: Filter, aliases: Aliases = new Map()): Filtered {
  const rest = items.filter((item) => isChosen(item, filter) && hasWords(item, filter.query, aliases))
  const shown = rest.filter((item) => isSureEnough(item, filter.least))
  return { shown, hiddenByConfidence: rest.length - shown.length }
}

const isChosen = (item: ListedFinding, filter: Filter): boolean =>
  filter.chips.length === 0 || filter.chips.includes(chipOf(item))

const isSureEnough = ({ finding }: ListedFinding, least: LeastConfidence): boolean =>
  leastConfidences.indexOf(finding.confidence as LeastConfidence) >= leastConfidences.indexOf(least)

function hasWords({ finding }: ListedFinding, query: string, aliases: Aliases): boolean {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return true
  const { title, name, vulnerabilityId, detector, message, contract, function: fn, file } = finding
  const others = aliases.get(detector) ?? []
  const text = [title, name, vulnerabilityId, detector, message, contract, fn, file, `line ${finding.line}`, ...others]
    .filter(Boolean)
    .join(' ')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}
