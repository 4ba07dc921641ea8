import type { Ref } from 'react'
import { type Severity, severities, severityColor } from '../components/severities.ts'
import { useTyped } from '../components/use-typed.ts'
import { filters as texts } from '../messages/result.ts'
import { type Chip, chips, type Filter, type Filtered, type LeastConfidence, noFilter } from './filter.ts'
import { type Grouping, groupings } from './group.ts'

const look = 'rounded-md border border-field bg-panel px-2 py-1 text-xs min-h-8'

const confidenceWords: Record<LeastConfidence, string> = {
  low: texts.allConfidenceLevels,
  medium: texts.mediumHigh,
  high: 'High only',
}

const chipWords: Partial<Record<Chip, string>> = {
  model: 'AI only',
  review: 'needs review',
  decided: 'dismissed',
}

/** What of the findings is shown: by severity, by confidence, by words; and how they are put together. */
export function Filters({
  filter,
  onFilter,
  grouping,
  onGrouping,
  counts,
  filtered,
  total,
  hasFiles,
  searchRef,
}: {
  filter: Filter
  onFilter: (filter: Filter) => void
  grouping: Grouping
  onGrouping: (grouping: Grouping) => void
  counts: Record<Chip, number>
  filtered: Filtered
  total: number
  hasFiles: boolean
  searchRef: Ref<HTMLInputElement>
}) {
  const { shown, hiddenByConfidence } = filtered
  const isFiltered = shown.length < total
  const [query, setQuery] = useTyped(filter.query, (text) => onFilter({ ...filter, query: text }))
  return (
    <div className="space-y-2 border-b border-line p-3">
      <div className="flex flex-wrap gap-1.5">
        {chips
          .filter((chip) => counts[chip] > 0)
          .map((chip) => (
            <ChipButton
              key={chip}
              chip={chip}
              count={counts[chip]}
              isOn={filter.chips.includes(chip)}
              onToggle={() => onFilter({ ...filter, chips: toggled(filter.chips, chip) })}
            />
          ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <input
          ref={searchRef}
          type="search"
          aria-label="Search findings"
          placeholder="Search findings"
          className={`${look} basis-full`}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        />
        <select
          aria-label="Minimum confidence"
          className={`${look} min-w-0 flex-1`}
          value={filter.least}
          onChange={(event) => onFilter({ ...filter, least: event.target.value as LeastConfidence })}
        >
          {Object.entries(confidenceWords).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
        <select
          aria-label="Group by"
          className={`${look} min-w-0 flex-1`}
          value={grouping}
          onChange={(event) => onGrouping(event.target.value as Grouping)}
        >
          {groupings
            .filter((name) => name !== 'file' || hasFiles)
            .map((name) => (
              <option key={name} value={name}>
                {texts.groupBy[name]}
              </option>
            ))}
        </select>
      </div>
      <p role="status" className="text-xs text-soft tabular-nums">
        {shown.length} of {total} shown
        {hiddenByConfidence > 0 && texts.hiddenConfidenceFilter(hiddenByConfidence)}
        {isFiltered && (
          <button
            type="button"
            className="ml-2 cursor-pointer text-accent underline"
            onClick={() => onFilter(noFilter)}
          >
            Show all
          </button>
        )}
      </p>
    </div>
  )
}

const toggled = (on: readonly Chip[], chip: Chip): Chip[] =>
  on.includes(chip) ? on.filter((other) => other !== chip) : [...on, chip]

const isSeverity = (chip: Chip): chip is Severity => severities.some((severity) => severity === chip)

function ChipButton({
  chip,
  count,
  isOn,
  onToggle,
}: {
  chip: Chip
  count: number
  isOn: boolean
  onToggle: () => void
}) {
  const color = isSeverity(chip) ? severityColor[chip] : 'var(--soft)'
  return (
    <button
      type="button"
      aria-pressed={isOn}
      onClick={onToggle}
      className={`inline-flex min-h-7 cursor-pointer items-center gap-1.5 rounded-full border px-2.5 text-xs ${isOn ? 'bg-accent-soft font-semibold' : 'hover:bg-sunken'}`}
      style={{ borderColor: isOn ? color : 'var(--line)' }}
    >
      <span className="size-2 rounded-full" style={{ background: color }} />
      <span className="inline-block first-letter:uppercase">{chipWords[chip] ?? chip}</span>
      <span className="tabular-nums">{count}</span>
    </button>
  )
}
