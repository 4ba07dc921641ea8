import { Prose } from '../components/prose.tsx'
import { Card } from '../components/surfaces.tsx'
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

const saidWords = { confirmed: 'confirms it', doubted: 'doubts it', unsure: 'is not sure' } as const

/** The same with its reason. */
export function OpinionOf({ item }: { item: ListedFinding }) {
  if (item.listed === 'model')
    return (
      <p className="mt-3 border-l-2 border-line pl-3 text-soft">
        Found by AI only. The quoted lines exist in the file; verify the finding yourself.
      </p>
    )
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

/** Who was asked, what it said of the whole, and how long it took. */
export function OpinionSummary({ opinion, hasReport }: { opinion: ViewOpinion; hasReport: boolean }) {
  const { model, summary, timeTaken, outputFile } = opinion
  return (
    <Card title={model ? `AI review by ${model}` : 'AI review'}>
      <p className="text-sm">{summary ? <Prose text={summary} /> : 'No summary.'}</p>
      <p className="mt-2 text-xs text-soft">
        {verdictCounts(opinion)} Answered in {secondsOf(timeTaken)}. AI results do not affect the score.{' '}
        {hasReport && (
          <a className="text-accent underline" href={`/api/v1/reports/${encodeURIComponent(outputFile)}`} download>
            Download the report
          </a>
        )}
      </p>
    </Card>
  )
}
