import { type ReactNode, useState } from 'react'
import { Button } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Prose } from '../components/prose.tsx'
import { openCounts, shownRating } from '../components/rating-color.ts'
import { ScoreGauge } from '../components/score-gauge.tsx'
import { severityColor } from '../components/severities.ts'
import { Note } from '../components/surfaces.tsx'
import { overview as texts } from '../messages/result.ts'
import { missingImports } from './missing-imports.ts'
import { isReadInFull, type ListedFinding, type ViewScan } from './scan-view.ts'
import { scoreWithout } from './score-without.ts'
import { type Tally, tallyOf } from './tally.ts'

const mostNamed = 4

/** Score, what is open, and what was not read: nobody may take a part for the whole. */
export function Overview({
  scan,
  all,
  lines,
  actions,
  addFiles,
}: {
  scan: ViewScan
  all: readonly ListedFinding[]
  /** Of code that was scanned; 0 where the reader may not see it. */
  lines: number
  actions?: ReactNode
  /** Where the files that are missing can be added. */
  addFiles?: ReactNode
}) {
  const { score } = scan.securityScore
  const listed = scan.dataVulnerabilities.length + scan.advisories.filter(({ kind }) => kind !== 'review').length
  const isCut = listed < (scan.tally?.findings ?? 0)
  const tally = tallyOf(all, isCut ? scan.tally?.bySeverity : undefined)
  const { bySeverity } = tally
  const completeness = isReadInFull(scan) ? 'full' : scan.completeness
  const open = openCounts({ critical: 0, high: 0, medium: 0, ...Object.fromEntries(bySeverity) })
  const rating = shownRating({ ...scan, completeness }, open)
  const outsideSwc = all.filter((item) => item.listed === 'advisory' && item.finding.kind !== 'review').length
  const missing = missingImports(scan)
  const without = tally.dismissed > 0 && !isCut ? scoreWithout(all, score) : null
  return (
    <>
      <section className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-panel px-4 py-1.5">
        <ScoreGauge score={score} rating={rating} />
        <div className="min-w-40 flex-1">
          <p className="flex flex-wrap items-center gap-x-3 text-base font-medium" role="status">
            <Counts tally={tally} hasRecords={all.some(({ state }) => state)} />
          </p>
          <p className="text-xs text-soft">
            {/* A rating has the name of a severity at times: it says that it speaks of the score. */}
            {rating !== null && <strong className="font-semibold text-ink">{texts.rating(rating)}</strong>}{' '}
            {without !== null && texts.withoutDismissed(without)} {lines > 0 && texts.density(open.severe, lines)}{' '}
            {isCut && texts.cut(listed, scan.tally?.findings ?? 0)}{' '}
            {outsideSwc > 0 && <span title={texts.whyNotScored}>{texts.outsideSwc(outsideSwc)}</span>}
          </p>
        </div>
        {actions}
        <BestPractices practices={scan.bestPractices} />
      </section>
      {scan.parseErrors.length > 0 && (
        <Note tone="warn">
          {texts.linesSyntaxErrorsWere}{' '}
          {scan.parseErrors
            .slice(0, 5)
            .map((error) => `line ${error.line}: ${error.message}`)
            .join('; ')}
          {scan.parseErrors.length > 5 && `; and ${scan.parseErrors.length - 5} more.`}
        </Note>
      )}
      {missing.length > 0 && (
        <Note tone="warn">
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <p className="min-w-60 flex-1 break-words" title={missing.join('\n')}>
              {texts.missingImports(missing.length)}{' '}
              <span className="font-mono text-xs">{missing.slice(0, mostNamed).join(', ')}</span>
              {missing.length > mostNamed && texts.andMore(missing.length - mostNamed)}
            </p>
            {addFiles}
          </div>
        </Note>
      )}
      {missing.length === 0 && scan.parseErrors.length === 0 && completeness !== 'full' && (
        <Note tone="warn">{texts.partsCodeWereNot}</Note>
      )}
    </>
  )
}

/** What is left to work on, by severity; then what is not counted with it. */
function Counts({ tally, hasRecords }: { tally: Tally; hasRecords: boolean }) {
  const { open, bySeverity, needsReview, dismissed, fixed } = tally
  const rest = [
    [needsReview, 'need review'],
    [dismissed, 'dismissed'],
    [fixed, 'fixed'],
  ] as const
  return (
    <>
      <span>{texts.findings(open, hasRecords ? 'open ' : '')}</span>
      {bySeverity.map(([severity, count]) => (
        <span key={severity} className="inline-flex items-center gap-1.5 text-sm font-normal">
          <span aria-hidden="true" className="size-2 rounded-full" style={{ background: severityColor[severity] }} />
          {count.toLocaleString('en-US')} {severity}
        </span>
      ))}
      {rest.map(
        ([count, words]) =>
          count > 0 && (
            <span key={words} className="text-sm font-normal text-soft">
              {count} {words}
            </span>
          ),
      )}
    </>
  )
}

function BestPractices({ practices }: { practices: ViewScan['bestPractices'] }) {
  const [isOpen, setOpen] = useState(false)
  const checklist = practices.checklist ?? []
  if (practices.recommendations.length === 0 && checklist.length === 0) return null
  return (
    <>
      <Button className="print:hidden" onClick={() => setOpen(true)}>
        Best practices
      </Button>
      <Dialog title={texts.bestPracticesCode} open={isOpen} onClose={() => setOpen(false)}>
        <ul className="list-disc space-y-1 pl-5 text-sm">
          {practices.recommendations.map((text) => (
            <li key={text}>
              <Prose text={text} />
            </li>
          ))}
        </ul>
        {checklist.length > 0 && (
          <div className="mt-4 grid gap-4 sm:grid-cols-2">
            {checklist.map((group) => (
              <div key={group.category}>
                <h3 className="text-sm font-semibold">{group.category}</h3>
                <ul className="mt-1 list-disc space-y-1 pl-5 text-sm text-soft">
                  {group.items.map((item) => (
                    <li key={item}>
                      <Prose text={item} />
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </div>
        )}
      </Dialog>
    </>
  )
}
