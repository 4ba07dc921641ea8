import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef } from 'react'
import { commentStates, highlightLine } from './highlight.ts'
import { type Severity, severityColor } from './severity.tsx'

export interface SourceMark {
  line: number
  severity: Severity
  label: string
}

const lineHeight = 20
/** Longer lines are cut on screen: a minified megabyte on one line would stall the browser. */
const longestLine = 2000

/** The source with a mark at every finding. Only the lines in sight exist in the page, so its size does not matter. */
export function SourceView({
  source,
  marks,
  focus,
  onSelectLine,
  height = 560,
  label = 'Source code',
}: {
  source: string
  marks: readonly SourceMark[]
  /** The line to bring into view; a new object each time it is asked for. */
  focus: { line: number; endLine: number } | null
  onSelectLine?: (line: number) => void
  height?: number
  label?: string
}) {
  const scroller = useRef<HTMLElement>(null)
  const lines = useMemo(() => source.split(/\r\n|\r|\n/), [source])
  const states = useMemo(() => commentStates(lines), [lines])
  const marked = useMemo(() => marksByLine(marks), [marks])
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 20,
  })
  useEffect(() => {
    if (focus) rows.scrollToIndex(Math.max(0, focus.line - 1), { align: 'center' })
  }, [focus, rows])
  const gutter = `${Math.max(3, String(lines.length).length) + 1}ch`

  return (
    <section
      ref={scroller}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      style={{ height: Math.min(height, lines.length * lineHeight + 24) }}
      className="overflow-auto rounded-lg border border-line bg-panel py-2 font-mono text-xs"
    >
      <div style={{ height: rows.getTotalSize(), position: 'relative', minWidth: 'max-content' }}>
        {rows.getVirtualItems().map((row) => {
          const number = row.index + 1
          const mark = marked.get(number)
          const focused = focus !== null && number >= focus.line && number <= focus.endLine
          return (
            <div
              key={row.key}
              style={{
                position: 'absolute',
                top: 0,
                transform: `translateY(${row.start}px)`,
                height: lineHeight,
                lineHeight: `${lineHeight}px`,
              }}
              className={`flex min-w-full pr-4 whitespace-pre ${focused ? 'bg-accent-soft' : ''}`}
              data-line={number}
            >
              <span
                style={{ width: gutter }}
                className="sticky left-0 shrink-0 bg-panel pr-2 text-right text-soft select-none"
              >
                {number}
              </span>
              {mark ? (
                <button
                  type="button"
                  className="mr-1 w-4 shrink-0 cursor-pointer text-center leading-5"
                  style={{ color: severityColor[mark.severity] }}
                  aria-label={`Line ${number}: ${mark.label}`}
                  title={mark.label}
                  onClick={() => onSelectLine?.(number)}
                >
                  ●
                </button>
              ) : (
                <span className="mr-1 w-4 shrink-0" />
              )}
              <code style={mark ? { boxShadow: `inset 0 -1px 0 ${severityColor[mark.severity]}` } : undefined}>
                {highlightLine((lines[row.index] ?? '').slice(0, longestLine), states[row.index] === 1).map(
                  (piece, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other identity
                    <span key={index} className={piece.look === 'plain' ? undefined : `code-${piece.look}`}>
                      {piece.text}
                    </span>
                  ),
                )}
              </code>
            </div>
          )
        })}
      </div>
    </section>
  )
}

/** One mark a line: the gravest finding gives the colour, all of them the words. */
function marksByLine(marks: readonly SourceMark[]): Map<number, SourceMark> {
  const byLine = new Map<number, SourceMark>()
  const rank: Severity[] = ['critical', 'high', 'medium', 'low', 'info']
  for (const mark of marks) {
    const there = byLine.get(mark.line)
    if (!there) {
      byLine.set(mark.line, mark)
      continue
    }
    const graver = rank.indexOf(mark.severity) < rank.indexOf(there.severity) ? mark.severity : there.severity
    byLine.set(mark.line, { line: mark.line, severity: graver, label: `${there.label}; ${mark.label}` })
  }
  return byLine
}
