import { Button } from '../components/controls.tsx'
import { ScoreGauge } from '../components/score-gauge.tsx'
import { SeverityBadge, severities } from '../components/severity.tsx'
import type { LiveAnswer } from '../playground/live-scanner.ts'
import type { ViewScan } from '../result/scan-view.ts'

const mostShown = 12

/** What the engine says of the text beside it, short: each line leads to its place. */
export function LiveResult({
  answer,
  isCurrent,
  isAwake,
  onShow,
  onKeep,
  isMember,
}: {
  answer: LiveAnswer | null
  /** False while a newer text waits to be scanned. */
  isCurrent: boolean
  isAwake: boolean
  onShow: (line: number) => void
  onKeep: () => void
  isMember: boolean
}) {
  return (
    <section
      aria-label="Result as you type"
      className="flex min-h-80 flex-col rounded-lg border border-line bg-panel p-4"
    >
      {!answer && (
        <p className="m-auto max-w-64 text-center text-sm text-soft">
          {isAwake
            ? 'Loading the engine into this browser.'
            : 'Click into the code: the result appears here as you type.'}
        </p>
      )}
      {answer?.kind === 'unreadable' && (
        <p className="m-auto max-w-72 text-center text-sm text-soft">{answer.problem}</p>
      )}
      {answer?.kind === 'result' && (
        <>
          <div className={`flex flex-wrap items-center gap-4 ${isCurrent ? '' : 'grayscale'}`}>
            <ScoreGauge
              score={answer.result.securityScore.score}
              rating={answer.result.securityScore.rating}
              size={96}
            />
            <p className="min-w-40 flex-1 text-sm font-medium">{answer.result.message}</p>
          </div>
          <Findings scan={answer.result} onShow={onShow} />
          <Button look="primary" className="mt-3 w-full" onClick={onKeep}>
            {isMember ? 'Keep this result' : 'Sign up to keep this result'}
          </Button>
        </>
      )}
    </section>
  )
}

function Findings({ scan, onShow }: { scan: ViewScan; onShow: (line: number) => void }) {
  const all = [...scan.dataVulnerabilities, ...scan.advisories].sort(
    (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || a.line - b.line,
  )
  return (
    <ul
      aria-label="What was found"
      className="mt-3 min-h-0 flex-1 divide-y divide-line overflow-y-auto text-sm lg:max-h-72"
    >
      {all.slice(0, mostShown).map((finding) => (
        <li key={`${finding.fingerprint} ${finding.line}`}>
          <button
            type="button"
            className="flex w-full cursor-pointer items-center gap-2 py-1.5 text-left hover:bg-sunken"
            onClick={() => onShow(finding.line)}
          >
            <SeverityBadge severity={finding.severity} />
            <span className="min-w-0 flex-1 truncate">{finding.title}</span>
            <span className="text-xs text-soft tabular-nums">line {finding.line}</span>
          </button>
        </li>
      ))}
      {all.length > mostShown && <li className="py-1.5 text-xs text-soft">and {all.length - mostShown} more</li>}
    </ul>
  )
}
