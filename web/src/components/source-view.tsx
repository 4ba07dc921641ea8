import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight, ListCollapse } from 'lucide-react'
import { memo, type PointerEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { sourceView as texts } from '../messages/components.ts'
import { type CodePosition, positionOfPoint, positionOfSelection } from './code-position.ts'
import { Button } from './controls.tsx'
import { findPlaces } from './find-places.ts'
import { foldRanges, membersToFold, visibleLines, withoutFoldsOver } from './fold-ranges.ts'
import { commentStates, highlightLine } from './highlight.ts'
import { columnsOn, markColumns, type Range } from './mark-columns.ts'
import { revealRow } from './reveal-row.ts'
import { type Severity, severities, severityColor } from './severities.ts'
import { useKeys } from './use-keys.ts'
import { useLatest } from './use-latest.ts'

export interface SourceMark {
  line: number
  severity: Severity
  label: string
}

/** A step of a trace, reported by its number at its line. */
export interface SourceStep extends Range {
  number: number
}

const lineHeight = 20
/** Longer lines are cut on screen: a minified megabyte on one line would stall the browser. */
const longestLine = 2000

/** The source with a mark at every finding. Only the lines in sight exist in the page, so its size does not matter. */
export const SourceView = memo(function SourceView({
  source,
  marks,
  focus,
  selected = null,
  steps = [],
  onSelectLine,
  onDefinition,
  height = 560,
  label = 'Source code',
  toolbar,
  firstLine = 1,
}: {
  source: string
  /** The number that the first line is shown with, for an excerpt. */
  firstLine?: number
  marks: readonly SourceMark[]
  /** The line to bring into view; a new object each time it is requested. */
  focus: Range | null
  /** The exact expression that is spoken of. */
  selected?: Range | null
  steps?: readonly SourceStep[]
  onSelectLine?: (line: number) => void
  /** The reader requested the definition of the name at a place. */
  onDefinition?: ((at: CodePosition) => void) | undefined
  /** In pixels; `fill` takes the room that the parent gives. */
  height?: number | 'fill'
  label?: string
  /** What stands left of the search above the code; without it there is no such row. */
  toolbar?: ReactNode
}) {
  const selectLine = useLatest((line: number) => onSelectLine?.(line))
  const scroller = useRef<HTMLElement>(null)
  const lines = useMemo(() => source.split(/\r\n|\r|\n/), [source])
  const states = useMemo(() => commentStates(lines), [lines])
  const marked = useMemo(() => marksByLine(marks), [marks])
  const numbers = useMemo(() => stepsByLine(steps), [steps])
  const [found, setFound] = useState<Range | null>(null)
  const ranges = useMemo(() => foldRanges(lines, states), [lines, states])
  const [folds, setFolds] = useState<{ of: string; folded: ReadonlySet<number> }>({ of: source, folded: none })
  const folded = folds.of === source ? folds.folded : none
  const setFolded = (next: ReadonlySet<number>) => setFolds({ of: source, folded: next })
  const visible = useMemo(() => visibleLines(lines.length, ranges, folded), [lines, ranges, folded])
  const rows = useVirtualizer({
    count: visible.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
    // Two lists that scroll by one key are drawn together.
    useFlushSync: false,
  })
  const show = useLatest((line: number) => {
    const opened = withoutFoldsOver(folded, ranges, line)
    if (opened !== folded) setFolded(opened)
    const at = opened === folded ? visible : visibleLines(lines.length, ranges, opened)
    // A line that was hidden is in the list after the next drawing.
    revealRow(rows, Math.max(0, at.indexOf(line)), 'middle')
  })
  useEffect(() => {
    if (focus) show(focus.line)
  }, [focus, show])
  const toggle = useLatest((line: number) => {
    const next = new Set(folded)
    if (!next.delete(line)) next.add(line)
    setFolded(next)
  })
  const foldMembers = () => setFolded(folded.size > 0 ? none : membersToFold(ranges, (selected ?? focus)?.line))
  const hasTools = toolbar !== undefined
  useKeys({
    ...(hasTools && { z: foldMembers }),
    ...(onDefinition && {
      d: () => onDefinition(positionOfSelection(scroller.current) ?? startOf(found ?? selected ?? focus)),
    }),
  })
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const isJump = onDefinition !== undefined && (event.ctrlKey || event.metaKey)
    event.currentTarget.classList.toggle('names-are-links', isJump)
    if (event.type !== 'pointerup' || !isJump) return
    const at = positionOfPoint(event.clientX, event.clientY)
    if (at) onDefinition(at)
  }
  // Where nothing can be chosen and nothing is marked, there is no column for marks.
  const hasMarkColumn = onSelectLine !== undefined || marks.length > 0
  const hasStepColumn = onSelectLine !== undefined || steps.length > 0
  const gutter = `${Math.max(3, String(lines.length).length) + 1}ch`
  const find = (range: Range | null) => {
    setFound(range)
    if (range) show(range.line)
  }

  return (
    <div className={`flex min-w-0 flex-col ${height === 'fill' ? 'h-full' : ''}`}>
      {toolbar !== undefined && (
        <div className="flex flex-wrap items-center gap-2 border-b border-line px-3 py-1.5">
          <div className="min-w-0 flex-1 truncate text-sm">{toolbar}</div>
          <Button
            look="quiet"
            aria-label={texts.foldMembers}
            aria-pressed={folded.size > 0}
            title={`${texts.foldMembers} (z)`}
            onClick={foldMembers}
          >
            <ListCollapse size={14} aria-hidden="true" />
          </Button>
          <SourceSearch lines={lines} onFind={find} />
        </div>
      )}
      <div className={`flex min-h-0 min-w-0 bg-panel ${height === 'fill' ? 'flex-1' : ''}`}>
        <section
          ref={scroller}
          aria-label={label}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
          tabIndex={0}
          style={{ height: height === 'fill' ? '100%' : Math.min(height, lines.length * lineHeight + 24) }}
          className="code-scroller min-w-0 flex-1 overflow-auto py-2 font-mono text-xs"
          onPointerMove={onPointer}
          onPointerUp={onPointer}
        >
          <div style={{ height: rows.getTotalSize(), position: 'relative', minWidth: 'max-content' }}>
            {rows.getVirtualItems().map((row) => {
              const number = visible[row.index] ?? 1
              const isFoldable = ranges.has(number)
              return (
                <SourceLine
                  key={row.key}
                  top={row.start}
                  number={number}
                  shownNumber={number + firstLine - 1}
                  gutter={gutter}
                  text={lines[number - 1] ?? ''}
                  insideComment={states[number - 1] === 1}
                  fold={isFoldable ? (folded.has(number) ? 'closed' : 'open') : undefined}
                  onFold={toggle}
                  tint={tint(number, selected ?? focus, numbers)}
                  mark={marked.get(number)}
                  steps={numbers.get(number)?.map(circled).join('')}
                  hasMarkColumn={hasMarkColumn}
                  hasStepColumn={hasStepColumn}
                  selected={covers(selected, number) ? selected : null}
                  found={covers(found, number) ? found : null}
                  onSelect={selectLine}
                />
              )
            })}
          </div>
        </section>
        {marked.size > 0 && <MarkStrip marks={marked} lines={lines.length} onSelect={selectLine} />}
      </div>
    </div>
  )
})

const none: ReadonlySet<number> = new Set()

const startOf = (range: Range | null): CodePosition => ({ line: range?.line ?? 1, column: range?.column ?? 1 })

const covers = (range: Range | null, line: number): boolean =>
  range !== null && line >= range.line && line <= range.endLine

const tint = (line: number, selected: Range | null, steps: Map<number, number[]>): string =>
  covers(selected, line) ? 'bg-accent-soft' : steps.has(line) ? 'bg-step' : ''

interface LineLook {
  number: number
  gutter: string
  hasMarkColumn: boolean
  hasStepColumn: boolean
  mark: SourceMark | undefined
  /** The numbers of the trace's steps at this line. */
  steps: string | undefined
  /** Where lines can be hidden under this one. */
  fold: 'open' | 'closed' | undefined
  onFold: (line: number) => void
  onSelect: (line: number) => void
}

/** Drawn again only when something about this line changes: a step to the next finding changes two of them. */
const SourceLine = memo(function SourceLine({
  top,
  text,
  insideComment,
  tint,
  selected,
  found,
  shownNumber,
  ...look
}: LineLook & {
  top: number
  shownNumber: number
  text: string
  insideComment: boolean
  tint: string
  selected: Range | null
  found: Range | null
}) {
  return (
    <div
      style={{
        position: 'absolute',
        top: 0,
        transform: `translateY(${top}px)`,
        height: lineHeight,
        lineHeight: `${lineHeight}px`,
      }}
      className={`flex min-w-full pr-6 whitespace-pre ${tint}`}
      data-line={look.number}
    >
      <Gutter {...look} shownNumber={shownNumber} />
      <Line
        text={text.length > longestLine ? `${text.slice(0, longestLine)}…` : text}
        number={look.number}
        insideComment={insideComment}
        mark={look.mark}
        selected={selected}
        found={found}
      />
      {look.fold === 'closed' && <span className="ml-1 rounded bg-sunken px-1 text-soft select-none">…</span>}
    </div>
  )
})

function Gutter({
  number: line,
  shownNumber,
  gutter: width,
  mark,
  steps,
  hasMarkColumn,
  hasStepColumn,
  fold,
  onFold,
  onSelect,
}: LineLook & { shownNumber: number }) {
  const FoldIcon = fold === 'closed' ? ChevronRight : ChevronDown
  return (
    <>
      <span style={{ width }} className="sticky left-0 shrink-0 bg-panel pr-1 text-right text-soft select-none">
        {shownNumber}
      </span>
      <span className="w-4 shrink-0">
        {fold && (
          <button
            type="button"
            tabIndex={-1}
            className="fold-button size-4 cursor-pointer align-middle text-soft hover:text-ink"
            aria-expanded={fold === 'open'}
            aria-label={fold === 'open' ? texts.fold(shownNumber) : texts.unfold(shownNumber)}
            onClick={() => onFold(line)}
          >
            <FoldIcon size={12} aria-hidden="true" />
          </button>
        )}
      </span>
      {hasStepColumn && (
        <span className="w-5 shrink-0 text-center text-sm leading-5 text-accent select-none">{steps}</span>
      )}
      {mark ? (
        <button
          type="button"
          tabIndex={-1}
          className="mr-1 w-4 shrink-0 cursor-pointer text-center leading-5"
          style={{ color: severityColor[mark.severity] }}
          aria-label={`Line ${shownNumber}: ${mark.label}`}
          title={mark.label}
          onClick={() => onSelect(line)}
        >
          ●
        </button>
      ) : (
        hasMarkColumn && <span className="mr-1 w-4 shrink-0" />
      )}
    </>
  )
}

function Line({
  text,
  number,
  insideComment,
  mark,
  selected,
  found,
}: {
  text: string
  number: number
  insideComment: boolean
  mark: SourceMark | undefined
  selected: Range | null
  found: Range | null
}) {
  const columns = (found && columnsOn(found, number, text)) ?? (selected && columnsOn(selected, number, text))
  const look = found && covers(found, number) ? 'bg-found' : 'bg-marked'
  const pieces = highlightLine(text, insideComment)
  return (
    <code style={mark ? { boxShadow: `inset 0 -1px 0 ${severityColor[mark.severity]}` } : undefined}>
      {markColumns(pieces, columns?.from ?? 0, columns?.to ?? 0).map((piece, index) => (
        <span
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other identity
          key={index}
          className={`${piece.look === 'plain' ? '' : `code-${piece.look}`} ${piece.marked ? look : ''}`}
        >
          {piece.text}
        </span>
      ))}
    </code>
  )
}

/** Where in the whole file the marks are, beside the scroll bar. The list of findings is its twin for the keyboard. */
const MarkStrip = memo(function MarkStrip({
  marks,
  lines,
  onSelect,
}: {
  marks: Map<number, SourceMark>
  lines: number
  onSelect: (line: number) => void
}) {
  // One tick per place that can be distinguished; a thousand on one pixel are one.
  const ticks = new Map<number, SourceMark>()
  for (const mark of marks.values()) {
    const at = Math.round(((mark.line - 1) / Math.max(lines, 1)) * 400)
    const there = ticks.get(at)
    if (!there || severities.indexOf(mark.severity) < severities.indexOf(there.severity)) ticks.set(at, mark)
  }
  return (
    // A file that fits is not stretched: its marks stand level with their lines.
    <div aria-hidden="true" className="relative my-2 mr-0.5 w-2 shrink-0" style={{ maxHeight: lines * lineHeight }}>
      {[...ticks].map(([at, mark]) => (
        <button
          key={at}
          type="button"
          tabIndex={-1}
          title={`Line ${mark.line}: ${mark.label}`}
          onClick={() => onSelect(mark.line)}
          className="absolute h-1 w-full cursor-pointer rounded-sm"
          style={{ top: `${at / 4}%`, background: severityColor[mark.severity] }}
        />
      ))}
    </div>
  )
})

/** Finds a text in the source; Enter goes on to the next place, Shift and Enter back. */
function SourceSearch({ lines, onFind }: { lines: readonly string[]; onFind: (range: Range | null) => void }) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const places = useMemo(() => findPlaces(lines, query), [lines, query])
  const go = (index: number) => {
    setAt(index)
    onFind(places[index] ?? null)
  }
  return (
    <div className="flex items-center gap-2">
      {query && (
        <span role="status" className="text-xs text-soft tabular-nums">
          {places.length === 0 ? 'not found' : `${Math.min(at, places.length - 1) + 1} of ${places.length}`}
        </span>
      )}
      <input
        type="search"
        aria-label={texts.searchSource}
        placeholder={texts.searchSource}
        className="w-40 rounded-md border border-field bg-panel px-2 py-1 text-xs"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value)
          setAt(0)
          onFind(findPlaces(lines, event.target.value)[0] ?? null)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || places.length === 0) return
          go((at + (event.shiftKey ? places.length - 1 : 1)) % places.length)
        }}
      />
    </div>
  )
}

/** ① to ⑳; a longer trace goes on in plain numbers. */
export const circled = (number: number): string =>
  number >= 1 && number <= 20 ? String.fromCodePoint(0x2460 + number - 1) : `(${number})`

function stepsByLine(steps: readonly SourceStep[]): Map<number, number[]> {
  const byLine = new Map<number, number[]>()
  for (const { line, number } of steps) byLine.set(line, [...(byLine.get(line) ?? []), number])
  return byLine
}

/** One mark a line: the most severe finding gives the colour, all of them the words. */
function marksByLine(marks: readonly SourceMark[]): Map<number, SourceMark> {
  const byLine = new Map<number, SourceMark>()
  for (const mark of marks) {
    const there = byLine.get(mark.line)
    if (!there) {
      byLine.set(mark.line, mark)
      continue
    }
    const worse =
      severities.indexOf(mark.severity) < severities.indexOf(there.severity) ? mark.severity : there.severity
    byLine.set(mark.line, { line: mark.line, severity: worse, label: `${there.label}; ${mark.label}` })
  }
  return byLine
}
