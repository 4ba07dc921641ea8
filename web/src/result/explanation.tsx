import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { CopyBox } from '../components/copy-box.tsx'
import { Prose } from '../components/prose.tsx'
import { References } from '../components/references.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { circled } from '../components/source-view.tsx'
import { FixView } from '../fixes/fix-view.tsx'
import { explanation as texts } from '../messages/result.ts'
import { EvidenceView } from './evidence.tsx'
import { OpinionBadge, OpinionOf } from './opinion.tsx'
import { codePlace, type ListedFinding, suppressionHint, type ViewPlace, type ViewSource } from './scan-view.ts'

/** Where the Foundry test of a finding, with the scanned code in it, can be downloaded. */
export type TestHref = (fingerprint: string) => string

/** All there is to say about one finding; each step of its trace jumps to its line in the source. */
export function Explanation({
  item,
  sources,
  onJump,
  status,
  testHref,
}: {
  item: ListedFinding
  /** None where the reader may not see them. */
  sources: readonly ViewSource[]
  onJump: (place: ViewPlace) => void
  /** Where its status can be changed. */
  status?: ReactNode
  testHref?: TestHref | undefined
}) {
  const { finding } = item
  const places = finding.places ?? []
  // Without the source there is nowhere to go.
  const jump = sources.length > 0 ? onJump : undefined
  return (
    <article aria-label={finding.title} className="p-4 text-sm">
      <header>
        <p className="flex flex-wrap items-center gap-2 text-xs text-soft">
          <SeverityBadge severity={finding.severity} />
          <span>{standing(item)}</span>
          <OpinionBadge item={item} />
        </p>
        <h2 className="mt-2 text-lg leading-snug font-semibold">{finding.title}</h2>
        <p className="mt-1 text-xs text-soft">
          {codePlace(finding)} <Jump place={finding} onJump={jump} /> · confidence {finding.confidence}
          {finding.cwe.length > 0 && ` · ${finding.cwe.join(', ')}`}
        </p>
        {status}
      </header>
      <p className="mt-3">
        <Prose text={finding.message} />
      </p>
      {finding.trace.length > 0 && (
        <ol aria-label="Trace" className="mt-3 space-y-1.5">
          {finding.trace.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps are an ordered, unchanging list
            <li key={index} className="flex gap-2">
              <span aria-hidden="true" className="text-base leading-5 text-accent">
                {circled(index + 1)}
              </span>
              <span>
                <Jump place={step} home={finding.file} onJump={jump} /> <Prose text={step.message} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {places.length > 0 && (
        <p className="mt-3">
          Also affects{' '}
          {places.map((place, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places are an ordered, unchanging list
            <span key={index}>
              {index > 0 && ', '}
              <Jump place={place} onJump={jump} />
            </span>
          ))}
          .
        </p>
      )}
      <OpinionOf item={item} />
      <h3 className="mt-5 font-semibold">{texts.howFix}</h3>
      <p>
        <Prose text={finding.recommendation} />
      </p>
      <FixView key={item.key} finding={finding} sources={sources} />
      <EvidenceView item={item} testHref={testHref?.(finding.fingerprint)} />
      {finding.detector && (
        <>
          <h3 className="mt-5 font-semibold">References</h3>
          <p>
            <Link
              to="/detectors/$detectorId"
              params={{ detectorId: finding.detector }}
              className="text-accent underline"
            >
              {texts.learnMoreAboutRule}
            </Link>
          </p>
          <References urls={finding.references} />
        </>
      )}
      <p className="mt-5 text-xs wrap-anywhere text-soft">
        {texts.findingId} <code className="font-mono">{finding.fingerprint}</code>
      </p>
      {finding.detector && (
        <details className="mt-3">
          <summary className="cursor-pointer text-soft">{texts.suppressCode}</summary>
          <div className="mt-2">
            <CopyBox value={suppressionHint(finding)} label="suppression comment" />
          </div>
        </details>
      )}
    </article>
  )
}

const standing = ({ finding, listed }: ListedFinding): string => {
  const id = finding.vulnerabilityId ?? texts.outsideSwcList
  if (listed === 'suppressed') return texts.suppressedComment(id)
  if (listed === 'weakness') return id
  if (listed === 'model') return texts.doesNotLowerScore(id)
  return finding.kind === 'review' ? texts.needsReviewNotScored(id) : texts.outsideSwcListDoes
}

function Jump({
  place,
  home,
  onJump,
}: {
  place: ViewPlace
  /** The file of a place that names none. */
  home?: string | undefined
  onJump: ((place: ViewPlace) => void) | undefined
}) {
  const words = place.file ? `${place.file}:${place.line}` : `line ${place.line}`
  if (!onJump) return <span className="font-medium wrap-anywhere">{words}</span>
  return (
    <button
      type="button"
      className="inline-flex min-h-6 cursor-pointer items-center text-left font-medium wrap-anywhere text-accent underline"
      onClick={() => onJump({ ...place, file: place.file ?? home })}
    >
      {words}
    </button>
  )
}
