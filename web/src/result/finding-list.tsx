import { useVirtualizer } from '@tanstack/react-virtual'
import { Check, ChevronDown, ChevronRight } from 'lucide-react'
import { type KeyboardEvent, memo, useEffect, useMemo, useRef, useState } from 'react'
import { Prose } from '../components/prose.tsx'
import { revealRow } from '../components/reveal-row.ts'
import { severityColor } from '../components/severities.ts'
import { SeverityBadge } from '../components/severity.tsx'
import { useLatest } from '../components/use-latest.ts'
import { findingList as texts } from '../messages/result.ts'
import { stateWords } from './decisions.ts'
import { type Group, groupLabel } from './group.ts'
import { OpinionBadge } from './opinion.tsx'
import { isConfirmed } from './order.ts'
import { codePlace, type ListedFinding, linePlace } from './scan-view.ts'
import { keyOfRow, type Row, rowsOf, targetOf } from './tree-rows.ts'

/** Of a row of two lines and of the head of a group, which is one; a reader's own size of letters is kept. */
const rem =
  typeof document === 'undefined' ? 16 : Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
const rowHeight = 3.5 * rem
const groupHeight = 2.25 * rem

type ItemRow = Extract<Row, { item: ListedFinding }>

const rowId = (row: Row): string => `finding-${keyOfRow(row).replaceAll(/[^\w~-]/g, '_')}`

/**
 * The findings as a tree of groups: a single stop for the Tab key, arrows within. Only the rows in sight exist in the page:
 * a long file can have a thousand.
 */
export const FindingList = memo(function FindingList({
  groups,
  home,
  selected,
  onSelect,
  onOpen,
  marked,
  onMark,
}: {
  groups: readonly Group[]
  /** The name of the file, for findings that name none. */
  home?: string | undefined
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
  /** The group that the arrow keys are at; null: at the selected finding. */
  const [groupAt, setGroupAt] = useState<string | null>(null)
  const rows = useMemo(() => rowsOf(groups, folded), [groups, folded])
  const view = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => (rows[index] ? keyOfRow(rows[index]) : index),
    estimateSize: (index) => (rows[index]?.item ? rowHeight : groupHeight),
    overscan: 12,
    // Two lists that scroll by one key are drawn together.
    useFlushSync: false,
  })
  const at = rows.findIndex((row) => (row.item ? groupAt === null && row.item === selected : row.group.key === groupAt))
  const current = rows[at]
  useEffect(() => {
    if (at >= 0) revealRow(view, at, 'edge')
  }, [at, view])
  // What is selected is in sight: its group opens.
  const groupOfSelected = useMemo(
    () => groups.find(({ items }) => selected !== null && items.includes(selected))?.key,
    [groups, selected],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: a group that the reader folds stays folded until another finding is selected
  useEffect(() => {
    setGroupAt(null)
    if (groupOfSelected !== undefined && folded.has(groupOfSelected)) fold(groupOfSelected, false)
  }, [selected?.key])
  const fold = (key: string, isFolded: boolean) => {
    const next = new Set(folded)
    if (isFolded) next.add(key)
    else next.delete(key)
    setFolded(next)
  }
  const toggle = ({ key }: Group) => {
    setGroupAt(key)
    fold(key, !folded.has(key))
  }
  const goTo = (row: Row | undefined) => {
    if (!row) return
    if (row.item) {
      setGroupAt(null)
      onSelect(row.item)
    } else setGroupAt(row.group.key)
  }
  const choose = useLatest((row: ItemRow) => {
    goTo(row)
    onOpen?.(row.item)
  })
  const markItems = useLatest((items: readonly ListedFinding[]) => onMark?.(items))
  const toggleGroup = useLatest(toggle)
  const onKeyDown = (event: KeyboardEvent) => {
    const isOnGroup = current !== undefined && !current.item
    const isHandled = () => event.preventDefault()
    if (event.key === 'Enter' && current) {
      isHandled()
      if (isOnGroup) toggle(current.group)
      else onOpen?.(current.item)
    } else if (event.key === ' ' && current && onMark) {
      isHandled()
      onMark(isOnGroup ? current.group.items : [current.item])
    } else if (isOnGroup && event.key === (folded.has(current.group.key) ? 'ArrowRight' : 'ArrowLeft')) {
      isHandled()
      toggle(current.group)
    } else {
      const to = targetOf(event.key, at, rows)
      if (to === null) return
      isHandled()
      goTo(rows[to])
    }
  }
  return (
    <div
      ref={scroller}
      role="tree"
      aria-label="Findings"
      tabIndex={0}
      aria-activedescendant={current && rowId(current)}
      onKeyDown={onKeyDown}
      className="h-full overflow-y-auto"
    >
      <div role="none" className="relative" style={{ height: view.getTotalSize() }}>
        {view.getVirtualItems().map((place) => {
          const row = rows[place.index]
          if (!row) return null
          return (
            <div
              key={place.key}
              role="none"
              data-index={place.index}
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${place.start}px)`, height: place.size }}
            >
              {row.item ? (
                <FindingRow
                  row={row}
                  home={home}
                  isSelected={row.item === selected}
                  isCurrent={row === current}
                  isMarked={marked.has(row.item.key)}
                  onMark={onMark && markItems}
                  onChoose={choose}
                />
              ) : (
                <GroupRow
                  row={row}
                  isFolded={folded.has(row.group.key)}
                  isCurrent={row === current}
                  onFold={toggleGroup}
                  onMark={onMark && markItems}
                />
              )}
            </div>
          )
        })}
      </div>
    </div>
  )
})

/** Seen only while the keyboard is in the tree. */
const currentClass = 'in-focus-visible:outline-2 in-focus-visible:-outline-offset-2 in-focus-visible:outline-accent'

const GroupRow = memo(function GroupRow({
  row,
  isFolded,
  isCurrent,
  onFold,
  onMark,
}: {
  row: Row
  isFolded: boolean
  isCurrent: boolean
  onFold: (group: Group) => void
  onMark?: ((items: readonly ListedFinding[]) => void) | undefined
}) {
  const { group, position, size } = row
  const FoldIcon = isFolded ? ChevronRight : ChevronDown
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree around it has the focus
    <div
      id={rowId(row)}
      role="treeitem"
      aria-level={1}
      aria-expanded={!isFolded}
      aria-selected={false}
      aria-posinset={position}
      aria-setsize={size}
      title={isFolded ? 'Expand group' : 'Collapse group'}
      onClick={() => onFold(group)}
      className={`flex h-full w-full cursor-pointer items-center gap-2 border-b border-line bg-sunken px-3 text-left text-xs font-semibold ${isCurrent ? currentClass : ''}`}
    >
      <FoldIcon size={14} aria-hidden="true" className="shrink-0 text-soft" />
      <span className="size-2 shrink-0 rounded-full" style={{ background: severityColor[group.severity] }} />
      <span className="min-w-0 truncate">{groupLabel(group)}</span>
      <span className="flex-1 shrink-0 whitespace-nowrap tabular-nums">· {group.items.length}</span>
      {onMark && (
        // biome-ignore lint/a11y/useKeyWithClickEvents: Space in the tree does the same
        // biome-ignore lint/a11y/noStaticElementInteractions: Space in the tree does the same
        <span
          title={texts.selectAllGroup}
          className="flex min-h-6 shrink-0 items-center font-normal text-accent underline"
          onClick={(event) => {
            event.stopPropagation()
            onMark(group.items)
          }}
        >
          Select all
        </span>
      )}
    </div>
  )
})

const FindingRow = memo(function FindingRow({
  row,
  home,
  isSelected,
  isCurrent,
  isMarked,
  onMark,
  onChoose,
}: {
  row: ItemRow
  home: string | undefined
  isSelected: boolean
  isCurrent: boolean
  isMarked: boolean
  onMark?: ((items: readonly ListedFinding[]) => void) | undefined
  onChoose: (row: ItemRow) => void
}) {
  const { item, level, position, size, isTitled } = row
  const { finding, listed } = item
  const place = linePlace(finding, home)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree around it takes the keys
    // biome-ignore lint/a11y/useFocusableInteractive: the tree around it has the focus
    <div
      id={rowId(row)}
      role="treeitem"
      data-finding
      aria-level={level}
      aria-selected={isSelected}
      aria-checked={onMark ? isMarked : undefined}
      aria-posinset={position}
      aria-setsize={size}
      onClick={() => onChoose(row)}
      className={`h-full cursor-pointer overflow-hidden border-b border-line px-3 py-2 text-sm hover:bg-sunken ${isSelected ? 'bg-accent-soft' : ''} ${isCurrent ? currentClass : ''}`}
    >
      <span className="flex items-center gap-2">
        {onMark && <MarkBox isMarked={isMarked} onMark={() => onMark([item])} />}
        {isTitled && <SeverityBadge severity={finding.severity} />}
        <span className="min-w-0 flex-1 truncate font-medium">
          {isTitled ? finding.title : codePlace(finding) || place}
        </span>
        <OpinionBadge item={item} />
        {isConfirmed(item) && <span className="text-xs font-semibold text-critical">verified</span>}
      </span>
      <span className="mt-0.5 flex items-center gap-2 text-xs text-soft">
        <span className="min-w-0 flex-1 truncate">
          {isTitled ? codePlace(finding) : <Prose text={finding.message} />}
        </span>
        <span className="shrink-0">
          {[
            // The heading of a group names the rule; that one is not in the SWC list is said beside the finding.
            isTitled && finding.vulnerabilityId,
            finding.kind === 'review' && texts.needsReview,
            listed === 'suppressed' && 'suppressed',
            item.state && item.state !== 'open' && stateWords[item.state].toLowerCase(),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
        {/* Cut at its beginning: the name and the line are what tells two places apart. */}
        <span className="max-w-[60%] min-w-0 truncate text-right tabular-nums [direction:rtl]" title={place}>
          <bdi>{place}</bdi>
        </span>
      </span>
    </div>
  )
})

/** Drawn, not a control of its own: the tree is the control, and marks its current row by Space. */
function MarkBox({ isMarked, onMark }: { isMarked: boolean; onMark: () => void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Space in the tree does the same
    // biome-ignore lint/a11y/noStaticElementInteractions: Space in the tree does the same
    <span
      title={texts.selectFinding}
      className="-m-1 inline-flex size-6 shrink-0 items-center justify-center"
      onClick={(event) => {
        event.stopPropagation()
        onMark()
      }}
    >
      <span
        className={`inline-flex size-4 items-center justify-center rounded border text-xs leading-none ${isMarked ? 'border-accent bg-accent text-accent-ink' : 'border-line bg-panel'}`}
      >
        {isMarked && <Check size={12} strokeWidth={3} aria-hidden="true" />}
      </span>
    </span>
  )
}
