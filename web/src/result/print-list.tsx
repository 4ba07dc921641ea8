import { Prose } from '../components/prose.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { useMedia } from '../components/use-media.ts'
import { findingList as texts } from '../messages/result.ts'
import { stateWords } from './decisions.ts'
import { codePlace, type ListedFinding } from './scan-view.ts'

/** On paper there is no scrolling: every finding with its words, one after the other. On the screen it does not exist. */
export function PrintList({ items }: { items: readonly ListedFinding[] }) {
  if (!useMedia('print')) return null
  return (
    <ol className="space-y-4">
      {items.map(({ finding, key, tried, record, state }) => (
        <li key={key} className="break-inside-avoid text-sm">
          <p className="flex items-center gap-2 font-semibold">
            <SeverityBadge severity={finding.severity} /> {finding.title}
          </p>
          <p className="text-xs">
            {finding.vulnerabilityId ?? texts.notInSwc} · {finding.file ? `${finding.file}:` : 'line '}
            {finding.line} {codePlace(finding) && `· ${codePlace(finding)} `}· confidence {finding.confidence}
            {finding.kind === 'review' && ` · ${texts.needsReview}`}
          </p>
          <p>
            <Prose text={finding.message} />
          </p>
          <p>
            <Prose text={finding.recommendation} />
          </p>
          {state && (
            <p className="text-xs">
              Status: {stateWords[state]}
              {record?.reason && ` (${record.reason})`}
            </p>
          )}
          {tried && <p className="text-xs">Attack: {tried}</p>}
          {finding.evidence?.status === 'confirmed' && (
            <p className="text-xs">Exploit verified: {finding.evidence?.summary}</p>
          )}
        </li>
      ))}
    </ol>
  )
}
