import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { FindingPanel } from './finding-panel.tsx'
import { type ListedFinding, listFindings, type ViewScan } from './scan-view.ts'
import { ScoreGauge } from './score-gauge.tsx'
import { SeverityBadge, severities } from './severity.tsx'
import { SourceView } from './source-view.tsx'
import { Card, Empty, Note } from './surfaces.tsx'

/** One scan as a person reads it: score, counts, the findings, and the source with each at its line. */
export function ScanResultView({ scan, source, actions }: { scan: ViewScan; source: string; actions?: ReactNode }) {
  const all = useMemo(() => listFindings(scan), [scan])
  const [query, setQuery] = useState('')
  const [severity, setSeverity] = useState('all')
  const [selectedKey, setSelectedKey] = useState<string | null>(null)
  const [focus, setFocus] = useState<{ line: number; endLine: number } | null>(null)
  const shown = all.filter((item) => matches(item, severity, query))
  const selected = shown.find((item) => item.key === selectedKey) ?? shown[0] ?? null
  const marks = useMemo(
    () =>
      all.map(({ finding }) => ({
        line: finding.line,
        severity: finding.severity,
        label: `${finding.vulnerabilityId ?? 'advisory'} ${finding.title}`,
      })),
    [all],
  )
  const select = (item: ListedFinding) => {
    setSelectedKey(item.key)
    setFocus({ line: item.finding.line, endLine: item.finding.endLine })
  }
  const selectLine = (line: number) => {
    const item = shown.find(({ finding }) => finding.line === line) ?? all.find(({ finding }) => finding.line === line)
    if (item) select(item)
  }

  return (
    <div className="space-y-4">
      <Overview scan={scan} actions={actions} />
      {scan.parseErrors.length > 0 && (
        <Note tone="warn">
          Some lines could not be read as Solidity and were not scanned:{' '}
          {scan.parseErrors
            .slice(0, 5)
            .map((error) => `line ${error.line}: ${error.message}`)
            .join('; ')}
        </Note>
      )}
      {all.length === 0 ? (
        <>
          <Empty title="Nothing was found in this file.">
            That is not a proof of safety: it means that none of the detectors had a reason to speak.
          </Empty>
          <SourceView source={source} marks={[]} focus={null} />
        </>
      ) : (
        <div className="grid gap-4 lg:grid-cols-[20rem_minmax(0,1fr)]">
          <div className="space-y-3">
            <Filters query={query} onQuery={setQuery} severity={severity} onSeverity={setSeverity} />
            <FindingList items={shown} selected={selected} onSelect={select} />
          </div>
          <div className="min-w-0 space-y-4">
            <SourceView source={source} marks={marks} focus={focus} onSelectLine={selectLine} height={420} />
            {selected && <FindingPanel item={selected} onJump={setFocus} />}
          </div>
        </div>
      )}
      <BestPractices practices={scan.bestPractices} />
    </div>
  )
}

function matches({ finding }: ListedFinding, severity: string, query: string): boolean {
  if (severity !== 'all' && finding.severity !== severity) return false
  if (!query) return true
  const text = `${finding.title} ${finding.name} ${finding.vulnerabilityId ?? ''} ${finding.detector} ${finding.message} ${finding.contract ?? ''} ${finding.function ?? ''}`
  return text.toLowerCase().includes(query.toLowerCase())
}

function Overview({ scan, actions }: { scan: ViewScan; actions?: ReactNode }) {
  const { score, rating, summary } = scan.securityScore
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-6">
        <ScoreGauge score={score} rating={rating} />
        <div className="min-w-56 flex-1">
          <p className="font-medium">{scan.message}</p>
          <dl className="mt-3 flex flex-wrap gap-x-6 gap-y-2">
            {(['critical', 'high', 'medium', 'low'] as const).map((name) => (
              <div key={name} className="flex items-center gap-2">
                <dt>
                  <SeverityBadge severity={name} />
                </dt>
                <dd className="font-semibold tabular-nums">{summary[name]}</dd>
              </div>
            ))}
            <div className="flex items-center gap-2 text-sm text-soft">
              <dt>total</dt>
              <dd className="tabular-nums">{summary.total}</dd>
            </div>
          </dl>
        </div>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </div>
    </Card>
  )
}

function Filters({
  query,
  onQuery,
  severity,
  onSeverity,
}: {
  query: string
  onQuery: (query: string) => void
  severity: string
  onSeverity: (severity: string) => void
}) {
  const look = 'rounded-md border border-line bg-panel px-2 py-1.5 text-sm min-h-9'
  return (
    <div className="flex gap-2">
      <input
        type="search"
        aria-label="Search findings"
        placeholder="Search findings"
        className={`${look} min-w-0 flex-1`}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
      />
      <select
        aria-label="Filter by severity"
        className={look}
        value={severity}
        onChange={(event) => onSeverity(event.target.value)}
      >
        <option value="all">All</option>
        {severities.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** Only the findings in sight exist in the page: a long file can have thousands. */
function FindingList({
  items,
  selected,
  onSelect,
}: {
  items: readonly ListedFinding[]
  selected: ListedFinding | null
  onSelect: (item: ListedFinding) => void
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.key ?? index,
    estimateSize: () => 78,
    overscan: 10,
  })
  const at = selected ? items.indexOf(selected) : -1
  useEffect(() => {
    if (at >= 0) rows.scrollToIndex(at)
  }, [at, rows])
  if (items.length === 0) return <p className="px-1 text-sm text-soft">No finding matches the filter.</p>
  return (
    <div ref={scroller} className="max-h-[36rem] overflow-y-auto rounded-lg border border-line bg-panel">
      <ol aria-label="Findings" className="relative" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map((row) => {
          const item = items[row.index]
          if (!item) return null
          return (
            <li
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              aria-setsize={items.length}
              aria-posinset={row.index + 1}
              className="absolute inset-x-0 top-0 border-b border-line"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              <FindingRow item={item} isSelected={item === selected} onSelect={onSelect} />
            </li>
          )
        })}
      </ol>
    </div>
  )
}

function FindingRow({
  item,
  isSelected,
  onSelect,
}: {
  item: ListedFinding
  isSelected: boolean
  onSelect: (item: ListedFinding) => void
}) {
  return (
    <button
      type="button"
      aria-current={isSelected || undefined}
      onClick={() => onSelect(item)}
      className={`block w-full cursor-pointer px-3 py-2 text-left text-sm hover:bg-sunken ${isSelected ? 'bg-accent-soft' : ''}`}
    >
      <span className="flex items-center gap-2">
        <SeverityBadge severity={item.finding.severity} />
        <span className="text-xs text-soft">
          {item.finding.vulnerabilityId ?? 'advisory'}
          {item.listed === 'suppressed' && ' · suppressed'}
        </span>
        <span className="ml-auto text-xs text-soft tabular-nums">line {item.finding.line}</span>
      </span>
      <span className="mt-1 block font-medium">{item.finding.title}</span>
      <span className="block truncate text-xs text-soft">{place(item)}</span>
    </button>
  )
}

const place = ({ finding }: ListedFinding): string =>
  [finding.contract, finding.function].filter(Boolean).join('.') || 'file'

function BestPractices({ practices }: { practices: ViewScan['bestPractices'] }) {
  const checklist = practices.checklist ?? []
  if (practices.recommendations.length === 0 && checklist.length === 0) return null
  return (
    <Card title="Best practices for this file">
      <ul className="list-disc space-y-1 pl-5 text-sm">
        {practices.recommendations.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {checklist.length > 0 && (
        <div className="mt-4 grid gap-4 sm:grid-cols-2">
          {checklist.map((group) => (
            <div key={group.category}>
              <h3 className="text-sm font-semibold">{group.category}</h3>
              <ul className="mt-1 list-disc space-y-1 pl-5 text-sm text-soft">
                {group.items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </Card>
  )
}
