import type { ReactNode } from 'react'
import { Prose } from '../components/prose.tsx'
import { shownRating } from '../components/rating-color.ts'
import { ScoreGauge } from '../components/score-gauge.tsx'
import { Card, Note } from '../components/surfaces.tsx'
import { overview as texts } from '../messages/result.ts'
import type { ViewScan } from './scan-view.ts'

/** Score and message, and what was not read: nobody may take a part for the whole. */
export function Overview({ scan, actions }: { scan: ViewScan; actions?: ReactNode }) {
  const { score } = scan.securityScore
  return (
    <>
      <section className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-panel px-4 py-1.5">
        <ScoreGauge score={score} rating={shownRating(scan)} size={64} />
        <p className="min-w-40 flex-1 text-base font-medium">
          <Prose text={scan.message} />
        </p>
        {actions}
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
      {scan.parseErrors.length === 0 && scan.completeness !== 'full' && (
        <Note tone="warn">{texts.partsCodeWereNot}</Note>
      )}
    </>
  )
}

export function BestPractices({ practices }: { practices: ViewScan['bestPractices'] }) {
  const checklist = practices.checklist ?? []
  if (practices.recommendations.length === 0 && checklist.length === 0) return null
  return (
    <Card title={texts.bestPracticesCode}>
      <ul className="list-disc space-y-1 pl-5 text-sm">
        {practices.recommendations.map((text) => (
          <li key={text}>
            <Prose text={text} />
          </li>
        ))}
      </ul>
      {checklist.length > 0 && (
        <div className="mt-4 grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
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
    </Card>
  )
}
