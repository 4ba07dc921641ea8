import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { References } from '../components/references.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { SourceView } from '../components/source-view.tsx'
import { Failure, Loading, Page } from '../components/surfaces.tsx'

export function DetectorsPage() {
  const [query, setQuery] = useState('')
  const list = useQuery({
    queryKey: ['detectors'],
    queryFn: () => call('GET /api/v1/detectors', {}),
    staleTime: 600_000,
  })
  const shown =
    list.data?.data.detectors.filter((one) =>
      `${one.id} ${one.swc ?? ''} ${one.name} ${one.title} ${one.description}`
        .toLowerCase()
        .includes(query.toLowerCase()),
    ) ?? []
  return (
    <Page title="Detectors" lead="Every weakness Assay looks for, with the mistake and its cure side by side.">
      {list.isPending && <Loading what="Loading the catalogue" />}
      {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
      {list.data && (
        <>
          <input
            type="search"
            aria-label="Search detectors"
            placeholder="Search by name, SWC number or words"
            className="mb-4 w-full max-w-md rounded-md border border-line bg-panel px-3 py-2 text-sm"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
          />
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

interface DetectorEntry {
  id: string
  swc: string | null
  name: string
  title: string
  severity: 'critical' | 'high' | 'medium' | 'low' | 'info'
  description: string
  recommendation: string
  references: readonly string[]
  examples: { vulnerable: string; safe: string } | null
}

function Detector({ detector }: { detector: DetectorEntry }) {
  const [open, setOpen] = useState(false)
  return (
    <details
      className="rounded-lg border border-line bg-panel"
      onToggle={(event) => setOpen((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary className="flex cursor-pointer flex-wrap items-center gap-2 px-4 py-3">
        <SeverityBadge severity={detector.severity} />
        <span className="font-medium">{detector.title}</span>
        <span className="text-sm text-soft">{detector.swc ?? 'beyond the registry'}</span>
      </summary>
      {open && (
        <div className="space-y-4 border-t border-line p-4 text-sm">
          <p>{detector.description}</p>
          <p>
            <strong>How to fix it.</strong> {detector.recommendation}
          </p>
          {detector.examples && (
            <div className="grid gap-4 lg:grid-cols-2">
              <Example title="Vulnerable" source={detector.examples.vulnerable} />
              <Example title="Safe" source={detector.examples.safe} />
            </div>
          )}
          <References urls={detector.references} />
        </div>
      )}
    </details>
  )
}

function Example({ title, source }: { title: string; source: string }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-semibold">{title}</h3>
      <SourceView source={source} marks={[]} focus={null} />
    </div>
  )
}
