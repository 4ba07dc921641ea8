import { DownloadLink } from '../components/download-link.tsx'
import { Prose } from '../components/prose.tsx'
import { Card } from '../components/surfaces.tsx'
import { opinion as texts } from '../messages/result.ts'
import { secondsOf, verdictCounts } from './opinion-words.ts'
import type { ListedFinding, ViewOpinion } from './scan-view.ts'

const verdictWords = { confirmed: 'AI: confirmed', doubted: 'AI: disputed', unsure: 'AI: unsure' } as const
const verdictColor = { confirmed: 'text-good', doubted: 'text-medium', unsure: 'text-soft' } as const

/** The model's word on a finding, short. */
export function OpinionBadge({ item }: { item: ListedFinding }) {
  const look = 'shrink-0 rounded border border-current px-1 text-xs whitespace-nowrap'
  if (item.listed === 'model') return <span className={`${look} text-low`}>AI only</span>
  const verdict = item.opinion?.verdict
  return verdict ? <span className={`${look} ${verdictColor[verdict]}`}>{verdictWords[verdict]}</span> : null
}

const saidWords = { confirmed: 'confirms it', doubted: 'doubts it', unsure: texts.notSure } as const

/** The same with its reason. */
export function OpinionOf({ item }: { item: ListedFinding }) {
  if (item.listed === 'model')
    return <p className="mt-3 border-l-2 border-line pl-3 text-soft">{texts.foundAiOnlyQuoted}</p>
  if (!item.opinion) return null
  const { verdict, reason } = item.opinion
  return (
    <p className="mt-3 border-l-2 border-line pl-3">
      The model {saidWords[verdict]}
      {reason ? ': ' : '.'}
      {reason && <Prose text={reason} />}
    </p>
  )
}

/** Which model answered, what it said of the whole, and how long it took. */
export function OpinionSummary({ opinion, hasReport }: { opinion: ViewOpinion; hasReport: boolean }) {
  const { model, summary, timeTaken, outputFile } = opinion
  return (
    <Card title={model ? texts.aiReview(model) : 'AI review'}>
      <p className="text-sm">{summary ? <Prose text={summary} /> : 'No summary.'}</p>
      <p className="mt-2 text-xs text-soft">
        {verdictCounts(opinion)} Answered in {secondsOf(timeTaken)}
        {texts.aiResultsDoNot}{' '}
        {hasReport && (
          <DownloadLink className="text-accent underline" href={`/api/v1/reports/${encodeURIComponent(outputFile)}`}>
            {texts.downloadReport}
          </DownloadLink>
        )}
      </p>
    </Card>
  )
}
