import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../components/controls.tsx'
import { highlightLine } from '../components/highlight.ts'
import { fixView as texts } from '../messages/fixes.ts'
import type { FoundFix } from '../playground/find-fix.ts'
import { findFixInBrowser } from '../playground/scan-in-browser.ts'
import type { ViewFinding, ViewSource } from '../result/scan-view.ts'
import { fixable } from './fixable.ts'
import { hunksOf, unifiedDiff } from './unified-diff.ts'

const PAUSE_MS = 600

const numbers = new WeakMap<readonly ViewSource[], number>()
let numbered = 0
/** Stands in a key for the texts themselves, which can be megabytes. */
function numberOf(sources: readonly ViewSource[]): number {
  const number = numbers.get(sources) ?? ++numbered
  numbers.set(sources, number)
  return number
}

/** The patch of a finding, found and scanned again in this browser; nothing where there is none. */
export function FixView({ finding, sources }: { finding: ViewFinding; sources: readonly ViewSource[] }) {
  const path = finding.file ?? sources[0]?.path
  const isWanted = fixable.has(finding.detector) && path !== undefined && finding.column !== undefined
  const fix = useQuery({
    enabled: isWanted,
    queryKey: ['fix', numberOf(sources), finding.fingerprint, finding.line],
    queryFn: async ({ signal }) => {
      const { detector, line, column = 1, endLine, endColumn = 1 } = finding
      // A reader who passes by does not start the engine.
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      signal.throwIfAborted()
      return findFixInBrowser(
        { files: sources, path: path ?? '', finding: { detector, line, column, endLine, endColumn } },
        signal,
      )
    },
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (!isWanted || fix.isError) return null
  // Room for a patch of usual size, so that the words below do not move when it comes.
  if (fix.isPending) return <p className="mt-2 min-h-24 rounded-md bg-sunken p-3 text-xs text-soft">{texts.looking}</p>
  return fix.data && <Patch fix={fix.data} />
}

function Patch({ fix: { title, isSafe, path, before, after } }: { fix: FoundFix }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(unifiedDiff(path, before, after))
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <figure aria-label="Patch" className="mt-2 overflow-hidden rounded-md border border-line">
      <figcaption className="flex flex-wrap items-center gap-2 border-b border-line bg-sunken px-3 py-1.5">
        <span className="min-w-0 flex-1">
          <span className="font-medium">{title}</span>
          <span className="block text-xs text-soft">{isSafe ? texts.scannedAgain : texts.changesBehavior}</span>
        </span>
        <Button onClick={copy}>
          <span aria-live="polite">{isCopied ? 'Copied' : 'Copy patch'}</span>
        </Button>
      </figcaption>
      <DiffView before={before} after={after} />
    </figure>
  )
}

/** Two texts as the lines that differ, with some around them. */
export function DiffView({ before, after }: { before: string; after: string }) {
  return (
    <section
      aria-label="Changes"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      className="overflow-x-auto bg-panel py-1 font-mono text-xs leading-5"
    >
      <div className="min-w-max">
        {hunksOf(before, after).map((hunk, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hunks are an ordered, unchanging list
          <div key={index} className={index > 0 ? 'mt-1 border-t border-line pt-1' : ''}>
            {hunk.map((row, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows are an ordered, unchanging list
              <div key={at} className={`flex pr-4 whitespace-pre diff-${row.kind}`}>
                <span className="w-10 shrink-0 pr-2 text-right text-soft select-none">
                  {row.kind === 'new' ? row.after : row.before}
                </span>
                <span className="w-4 shrink-0 select-none">
                  {{ same: ' ', gone: '−', new: '+' }[row.kind]}
                  {row.kind !== 'same' && <span className="sr-only">{row.kind === 'gone' ? 'removed' : 'added'}</span>}
                </span>
                <code>
                  {highlightLine(row.text, false).map((piece, part) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line have no other identity
                    <span key={part} className={piece.look === 'plain' ? '' : `code-${piece.look}`}>
                      {piece.text}
                    </span>
                  ))}
                </code>
              </div>
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}
