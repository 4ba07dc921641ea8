import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import { highlightLine } from '../components/highlight.ts'
import { severityColor } from '../components/severities.ts'
import type { SourceMark } from '../components/source-view.tsx'
import { sourceDiff as texts } from '../messages/compare.ts'
import { type DiffRow, diffLines } from './diff-lines.ts'

const lineHeight = 20
const lines = (text: string): string[] => text.split(/\r\n|\r|\n/)

interface Pair {
  left: DiffRow | null
  right: DiffRow | null
}

/** A minified line must not push the rest out of reach. */
const LONGEST = 1_000
const cut = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** Both sources side by side, equal lines level with each other, unchanged lines folded. Only the rows in sight exist in the page. */
export function SourceDiff({
  before,
  after,
  marksBefore = [],
  marksAfter = [],
}: {
  before: string
  after: string
  /** The findings of each side, at their lines. */
  marksBefore?: readonly SourceMark[]
  marksAfter?: readonly SourceMark[]
}) {
  const scroller = useRef<HTMLElement>(null)
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const pairs = useMemo(() => pairUp(diffLines(lines(before), lines(after))), [before, after])
  const shown = useMemo(() => foldUnchanged(pairs, opened), [pairs, opened])
  const left = useMemo(() => new Map(marksBefore.map((mark) => [mark.line, mark])), [marksBefore])
  const right = useMemo(() => new Map(marksAfter.map((mark) => [mark.line, mark])), [marksAfter])
  const rows = useVirtualizer({
    count: shown.length,
    getScrollElement: () => scroller.current,
    // What a line takes when it needs no second one; the others are measured.
    estimateSize: () => lineHeight,
    overscan: 20,
  })
  return (
    <section
      ref={scroller}
      aria-label={texts.twoSourcesSideSide}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="max-h-[36rem] overflow-auto rounded-lg border border-line bg-panel font-mono text-xs"
    >
      <div style={{ height: rows.getTotalSize() }} className="relative min-w-[36rem]">
        {rows.getVirtualItems().map((row) => {
          const pair = shown[row.index]
          if (!pair) return null
          return (
            <div
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              style={{ position: 'absolute', top: 0, transform: `translateY(${row.start}px)` }}
              className="grid w-full grid-cols-2 leading-5"
            >
              {'folded' in pair ? (
                <button
                  type="button"
                  className="col-span-2 min-h-6 cursor-pointer bg-sunken px-3 text-left text-soft hover:text-ink"
                  onClick={() => setOpened(new Set([...opened, pair.from]))}
                >
                  {texts.unchangedLines(pair.folded)}
                </button>
              ) : (
                <>
                  <Side row={pair.left} side="before" marks={left} />
                  <Side row={pair.right} side="after" marks={right} />
                </>
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}

function Side({
  row,
  side,
  marks,
}: {
  row: DiffRow | null
  side: 'before' | 'after'
  marks: ReadonlyMap<number, SourceMark>
}) {
  const number = numberOf(row, side)
  const mark = number === null ? undefined : marks.get(number)
  const tone = row?.kind === 'gone' ? 'bg-critical/10' : row?.kind === 'new' ? 'bg-good/15' : ''
  const sign = row?.kind === 'gone' ? '−' : row?.kind === 'new' ? '+' : ' '
  return (
    <span className={`flex min-h-5 min-w-0 ${row ? tone : 'bg-sunken'}`}>
      <span className="w-10 shrink-0 pr-2 text-right text-soft select-none">{number}</span>
      {row && (
        <>
          <span className="w-4 shrink-0 select-none">{sign}</span>
          <span className="min-w-0 flex-1 pr-2 break-words whitespace-pre-wrap">
            {highlightLine(cut(row.text), false).map((piece, part) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other identity
              <span key={part} className={piece.look === 'plain' ? '' : `code-${piece.look}`}>
                {piece.text}
              </span>
            ))}
            {mark && (
              <span className="block font-sans" style={{ color: severityColor[mark.severity] }}>
                ● {mark.label}
              </span>
            )}
          </span>
        </>
      )}
    </span>
  )
}

const numberOf = (row: DiffRow | null, side: 'before' | 'after'): number | null =>
  row && side in row ? (row as unknown as Record<typeof side, number>)[side] : null

/** Lines around a change that stay in sight. */
const context = 4

type Shown = Pair | { folded: number; from: number }

/** Runs of unchanged lines become one row each, until the reader opens it; what begins at `from` is opened. */
export function foldUnchanged(pairs: readonly Pair[], opened: ReadonlySet<number>): Shown[] {
  const shown: Shown[] = []
  const isChange = ({ left, right }: Pair) => left !== right
  let at = 0
  while (at < pairs.length) {
    const next = pairs.findIndex((pair, index) => index >= at && isChange(pair))
    const end = next < 0 ? pairs.length : next
    const from = at === 0 ? 0 : Math.min(at + context, end)
    const to = next < 0 ? end : Math.max(from, end - context)
    if (to - from > 2 && !opened.has(from))
      shown.push(...pairs.slice(at, from), { folded: to - from, from }, ...pairs.slice(to, end))
    else shown.push(...pairs.slice(at, end))
    at = end
    while (at < pairs.length && isChange(pairs[at] as Pair)) shown.push(pairs[at++] as Pair)
  }
  return shown
}

/** Lines taken out stand beside the lines put in at the same place. */
function pairUp(rows: readonly DiffRow[]): Pair[] {
  const pairs: Pair[] = []
  let open = 0
  for (const row of rows) {
    if (row.kind === 'same') {
      pairs.push({ left: row, right: row })
      open = pairs.length
    } else if (row.kind === 'gone') {
      pairs.push({ left: row, right: null })
    } else {
      while (open < pairs.length && pairs[open]?.right) open++
      const waiting = pairs[open]
      if (waiting) waiting.right = row
      else pairs.push({ left: null, right: row })
      open++
    }
  }
  return pairs
}
