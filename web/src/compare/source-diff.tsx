import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
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

/** Both sources side by side, equal lines level with each other, from the first change on. Only the rows in sight exist in the page. */
export function SourceDiff({ before, after }: { before: string; after: string }) {
  const scroller = useRef<HTMLElement>(null)
  const pairs = useMemo(() => pairUp(diffLines(lines(before), lines(after))), [before, after])
  const rows = useVirtualizer({
    count: pairs.length,
    getScrollElement: () => scroller.current,
    // What a line takes when it needs no second one; the others are measured.
    estimateSize: () => lineHeight,
    overscan: 20,
  })
  useEffect(() => {
    const first = pairs.findIndex(({ left, right }) => left !== right)
    if (first >= 0) rows.scrollToIndex(first, { align: 'center' })
  }, [pairs, rows])
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
          const pair = pairs[row.index]
          if (!pair) return null
          return (
            <div
              key={row.key}
              ref={rows.measureElement}
              data-index={row.index}
              style={{ position: 'absolute', top: 0, transform: `translateY(${row.start}px)` }}
              className="grid w-full grid-cols-2 leading-5"
            >
              <Side row={pair.left} number={pair.left && 'before' in pair.left ? pair.left.before : null} />
              <Side row={pair.right} number={pair.right && 'after' in pair.right ? pair.right.after : null} />
            </div>
          )
        })}
      </div>
    </section>
  )
}

function Side({ row, number }: { row: DiffRow | null; number: number | null }) {
  const tone = row?.kind === 'gone' ? 'bg-critical/10' : row?.kind === 'new' ? 'bg-good/15' : ''
  const sign = row?.kind === 'gone' ? '−' : row?.kind === 'new' ? '+' : ' '
  return (
    <span className={`flex min-h-5 min-w-0 ${row ? tone : 'bg-sunken'}`}>
      <span className="w-10 shrink-0 pr-2 text-right text-soft select-none">{number}</span>
      {row && (
        <>
          <span className="w-4 shrink-0 select-none">{sign}</span>
          <span className="min-w-0 pr-2 break-words whitespace-pre-wrap">{cut(row.text)}</span>
        </>
      )}
    </span>
  )
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
