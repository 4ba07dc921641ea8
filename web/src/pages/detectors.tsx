import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { type DetectorEntry, useDetectors } from '../api/detectors.ts'
import { Loading } from '../components/loading.tsx'
import { Prose } from '../components/prose.tsx'
import { severities } from '../components/severities.ts'
import { SeverityBadge } from '../components/severity.tsx'
import { Failure, Page } from '../components/surfaces.tsx'
import { detectors as texts } from '../messages/pages/detectors.ts'

export function DetectorsPage() {
  const [query, setQuery] = useState('')
  const list = useDetectors()
  const words = useDeferredValue(query.toLowerCase())
  const shown =
    list.data?.data.detectors
      .filter((one) =>
        `${one.id} ${one.name} ${one.title} ${one.description} ${one.aliases.join(' ')}`.toLowerCase().includes(words),
      )
      .sort(
        (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity) || (a.title < b.title ? -1 : 1),
      ) ?? []
  return (
    <Page title="Detectors" lead={texts.allDetectorsSeverityVulnerable}>
      <input
        type="search"
        aria-label="Search detectors"
        placeholder={texts.searchNameNumberSlither}
        className="mb-4 w-full max-w-md rounded-md border border-field bg-panel px-3 py-2 text-sm"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      {list.isPending && <Loading what="Loading…" shape="rows" />}
      {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
      {list.data && (
        <>
          <p className="mb-3 text-sm text-soft" role="status">
            {shown.length} of {list.data.data.detectors.length} detectors
          </p>
          <ul className="space-y-2">
            {shown.map((one) => (
              <li key={one.id}>
                <Detector detector={one} />
              </li>
            ))}
          </ul>
        </>
      )}
    </Page>
  )
}

/** One line; its page has the vulnerable and the fixed code. */
function Detector({ detector }: { detector: DetectorEntry }) {
  return (
    <Link
      to="/detectors/$detectorId"
      params={{ detectorId: detector.id }}
      className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-panel px-4 py-3 hover:bg-sunken"
    >
      <SeverityBadge severity={detector.severity} />
      <span className="font-medium">{detector.title}</span>
      <span className="text-sm text-soft">{detector.swc ?? texts.notSwc}</span>
      <span className="w-full text-sm text-soft">
        <Prose text={detector.description} />
      </span>
    </Link>
  )
}
