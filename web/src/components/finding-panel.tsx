import { CopyBox } from './copy-box.tsx'
import { References } from './references.tsx'
import { type ListedFinding, suppressionHint } from './scan-view.ts'
import { SeverityBadge } from './severity.tsx'

/** All there is to say about one finding; each step of its trace jumps to its line in the source. */
export function FindingPanel({
  item,
  onJump,
}: {
  item: ListedFinding
  onJump: (place: { line: number; endLine: number }) => void
}) {
  const { finding } = item
  return (
    <article aria-label={finding.title} className="rounded-lg border border-line bg-panel p-4 text-sm">
      <header className="flex flex-wrap items-center gap-2">
        <SeverityBadge severity={finding.severity} />
        <h3 className="text-base font-semibold">{finding.title}</h3>
        <span className="text-soft">
          {finding.vulnerabilityId
            ? `${finding.vulnerabilityId} ${finding.name}`
            : 'advisory, does not lower the score'}
        </span>
      </header>
      <p className="mt-1 text-xs text-soft">
        {[finding.contract, finding.function].filter(Boolean).join('.')}{' '}
        <Jump line={finding.line} endLine={finding.endLine} onJump={onJump} /> · confidence {finding.confidence}
        {finding.cwe.length > 0 && ` · ${finding.cwe.join(', ')}`}
      </p>
      <p className="mt-3">{finding.message}</p>
      {finding.trace.length > 0 && (
        <ol className="mt-3 space-y-1 border-l-2 border-line pl-3">
          {finding.trace.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are an ordered, unchanging list
            <li key={index}>
              <Jump line={step.line} endLine={step.endLine} onJump={onJump} /> {step.message}
            </li>
          ))}
        </ol>
      )}
      <h4 className="mt-4 font-semibold">How to fix it</h4>
      <p>{finding.recommendation}</p>
      {finding.references.length > 0 && (
        <>
          <h4 className="mt-4 font-semibold">Read more</h4>
          <References urls={finding.references} />
        </>
      )}
      <details className="mt-4">
        <summary className="cursor-pointer text-soft">Not a problem here? Suppress it with a reason</summary>
        <div className="mt-2">
          <CopyBox value={suppressionHint(finding)} label="suppression comment" />
        </div>
      </details>
    </article>
  )
}

function Jump({
  line,
  endLine,
  onJump,
}: {
  line: number
  endLine: number
  onJump: (place: { line: number; endLine: number }) => void
}) {
  return (
    <button
      type="button"
      className="cursor-pointer font-medium text-accent underline"
      onClick={() => onJump({ line, endLine })}
    >
      line {line}
    </button>
  )
}
