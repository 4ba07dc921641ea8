import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { Prose } from '../components/prose.tsx'
import { severityColor } from '../components/severities.ts'
import { SeverityBadge } from '../components/severity.tsx'
import { findingList as texts } from '../messages/result.ts'
import { stateWords } from './decisions.ts'
import { type Group, groupLabel } from './group.ts'
import { OpinionBadge } from './opinion.tsx'
import { isConfirmed } from './order.ts'
import { codePlace, type ListedFinding, linePlace } from './scan-view.ts'

type Row = { group: Group } | { item: ListedFinding; group: Group }

const rowId = (key: string): string => `finding-${key}`

/**
 * The findings as one list box: a single stop for the Tab key, arrows within. Only the rows in sight exist in the page:
 * a long file can have a thousand.
 */
export function FindingList({
  groups,
  selected,
  onSelect,
  onOpen,
  marked,
  onMark,
}: {
  groups: readonly Group[]
  selected: ListedFinding | null
  onSelect: (item: ListedFinding) => void
  /** Those to decide about together, by key. */
  marked: ReadonlySet<string>
  /** Undefined where nothing can be decided. */
  onMark?: ((items: readonly ListedFinding[]) => void) | undefined
  /** A tap or Enter, where that means more than selecting. */
  onOpen?: ((item: ListedFinding) => void) | undefined
}) {
  const scroller = useRef<HTMLDivElement>(null)
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set())
  const rows = useMemo(() => rowsOf(groups, folded), [groups, folded])
  const items = useMemo(() => rows.flatMap((row) => ('item' in row ? [row.item] : [])), [rows])
  const view = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => keyOf(rows[index], index),
    estimateSize: (index) => (rows[index] && 'item' in rows[index] ? 56 : 36),
    overscan: 12,
  })
  const at = rows.findIndex((row) => 'item' in row && row.item === selected)
  useEffect(() => {
    if (at >= 0) view.scrollToIndex(at, { align: 'auto' })
  }, [at, view])
  const fold = (key: string) => {
    const next = new Set(folded)
    if (!next.delete(key)) next.add(key)
    setFolded(next)
  }
  const move = (event: KeyboardEvent) => {
    const from = selected ? items.indexOf(selected) : -1
    const to = target(event.key, from, items.length)
    if (event.key === 'Enter' && selected) onOpen?.(selected)
    if (event.key === ' ' && selected && onMark) {
      event.preventDefault()
      onMark([selected])
    }
    const item = to === null ? undefined : items[to]
    if (!item) return
    event.preventDefault()
    onSelect(item)
  }
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Findings"
      tabIndex={0}
      aria-activedescendant={at >= 0 && selected ? rowId(selected.key) : undefined}
      onKeyDown={move}
      className="h-full overflow-y-auto"
    >
      <div className="relative" style={{ height: view.getTotalSize() }}>
        {view.getVirtualItems().map((row) => {
          const content = rows[row.index]
          if (!content) return null
          return (
            <div
              key={row.key}
              ref={view.measureElement}
              data-index={row.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${row.start}px)` }}
            >
              {'item' in content ? (
                <FindingRow
                  item={content.item}
                  isSelected={content.item === selected}
                  isTitled={content.group.items.length === 1 || !isOneKind(content.group)}
                  position={items.indexOf(content.item) + 1}
                  size={items.length}
                  isMarked={marked.has(content.item.key)}
                  onMark={onMark && (() => onMark([content.item]))}
                  onChoose={() => {
                    onSelect(content.item)
                    onOpen?.(content.item)
                  }}
                />
              ) : (
                <GroupRow
                  group={content.group}
                  isFolded={folded.has(content.group.key)}
                  onFold={() => fold(content.group.key)}
                  onMark={onMark && (() => onMark(content.group.items))}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** Under a heading that names kind and severity, each row names its place instead. */
const isOneKind = ({ items }: Group): boolean => items.every(({ finding }) => finding.title === items[0]?.finding.title)

const keyOf = (row: Row | undefined, index: number): string | number =>
  row === undefined ? index : 'item' in row ? row.item.key : `group ${row.group.key}`

/** A group of one needs no heading: its row says the same. */
const rowsOf = (groups: readonly Group[], folded: ReadonlySet<string>): Row[] =>
  groups.flatMap((group) => [
    ...(group.items.length > 1 ? [{ group }] : []),
    ...(folded.has(group.key) ? [] : group.items.map((item): Row => ({ item, group }))),
  ])

function target(key: string, from: number, size: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return Math.min(from + 1, size - 1)
    case 'ArrowUp':
      return Math.max(from - 1, 0)
    case 'Home':
      return 0
    case 'End':
      return size - 1
    default:
      return null
  }
}

function GroupRow({
  group,
  isFolded,
  onFold,
  onMark,
}: {
  group: Group
  isFolded: boolean
  onFold: () => void
  onMark?: (() => void) | undefined
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: folding is for the mouse; filters do the same for the keyboard
    <div
      role="presentation"
      title={isFolded ? 'Expand group' : 'Collapse group'}
      onClick={onFold}
      className="flex w-full cursor-pointer items-center gap-2 border-b border-line bg-sunken px-3 py-2 text-left text-xs font-semibold"
    >
      <span aria-hidden="true" className="text-soft">
        {isFolded ? '▸' : '▾'}
      </span>
      <span className="size-2 shrink-0 rounded-full" style={{ background: severityColor[group.severity] }} />
      <span className="min-w-0 truncate">{groupLabel(group)}</span>
      <span className="flex-1 shrink-0 whitespace-nowrap tabular-nums">· {group.items.length}</span>
      {onMark && group.items.length > 1 && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: for the mouse; the keyboard marks rows
        // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keyboard marks rows
        <span
          title={texts.selectAllGroup}
          className="shrink-0 font-normal text-accent underline"
          onClick={(event) => {
            event.stopPropagation()
            onMark()
          }}
        >
          Select all
        </span>
      )}
    </div>
  )
}

function FindingRow({
  item,
  isSelected,
  isTitled,
  position,
  size,
  isMarked,
  onMark,
  onChoose,
}: {
  item: ListedFinding
  isSelected: boolean
  isTitled: boolean
  position: number
  size: number
  isMarked: boolean
  onMark?: (() => void) | undefined
  onChoose: () => void
}) {
  const { finding, listed } = item
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list box around it takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the list box around it has the focus
    <div
      id={rowId(item.key)}
      role="option"
      aria-selected={isSelected}
      aria-checked={onMark ? isMarked : undefined}
      aria-posinset={position}
      aria-setsize={size}
      onClick={onChoose}
      className={`cursor-pointer border-b border-line px-3 py-2 text-sm hover:bg-sunken ${isSelected ? 'bg-accent-soft' : ''}`}
    >
      <span className="flex items-center gap-2">
        {onMark && <MarkBox isMarked={isMarked} onMark={onMark} />}
        {isTitled && <SeverityBadge severity={finding.severity} />}
        <span className="min-w-0 flex-1 truncate font-medium">{isTitled ? finding.title : codePlace(finding)}</span>
        <OpinionBadge item={item} />
        {isConfirmed(item) && <span className="text-xs font-semibold text-critical">verified</span>}
      </span>
      <span className="mt-0.5 flex items-center gap-2 text-xs text-soft">
        <span className="min-w-0 flex-1 truncate">
          {isTitled ? codePlace(finding) : <Prose text={finding.message} />}
        </span>
        <span>
          {finding.vulnerabilityId ?? 'advisory'}
          {listed === 'suppressed' && ' · suppressed'}
          {item.record && item.record.state !== 'open' && ` · ${stateWords[item.record.state].toLowerCase()}`}
        </span>
        <span className="max-w-48 truncate tabular-nums" title={finding.file}>
          {linePlace(finding)}
        </span>
      </span>
    </div>
  )
}

/** Drawn, not a control of its own: the list box is the control, and marks its selected row by Space. */
function MarkBox({ isMarked, onMark }: { isMarked: boolean; onMark: () => void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: for the mouse; the keyboard marks rows
    // biome-ignore lint/a11y/noStaticElementInteractions: for the mouse; the keyboard marks rows
    <span
      title={texts.selectFinding}
      className={`inline-flex size-4 shrink-0 items-center justify-center rounded border text-xs leading-none ${isMarked ? 'border-accent bg-accent text-accent-ink' : 'border-line bg-panel'}`}
      onClick={(event) => {
        event.stopPropagation()
        onMark()
      }}
    >
      {isMarked && '✓'}
    </span>
  )
}
