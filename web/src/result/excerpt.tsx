import { SourceView } from '../components/source-view.tsx'
import { excerpt as texts } from '../messages/result.ts'
import { excerptAround } from './excerpt.ts'
import type { ViewPlace } from './scan-view.ts'

/** The lines around a place, for a screen that has no room for the whole file. */
export function ExcerptView({
  source,
  place,
  steps,
}: {
  source: string
  place: ViewPlace
  /** Those of the trace that are in this file. */
  steps: readonly (ViewPlace & { number: number })[]
}) {
  const { text, firstLine, within } = excerptAround(source, place)
  const count = text.split('\n').length
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <SourceView
        source={text}
        firstLine={firstLine}
        marks={[]}
        focus={null}
        selected={within(place)}
        steps={steps.map(within).filter(({ line }) => line >= 1 && line <= count)}
        height={224}
        label={texts.linesAroundFinding}
      />
    </div>
  )
}
