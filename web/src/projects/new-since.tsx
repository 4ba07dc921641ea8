import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Select } from '../components/controls.tsx'
import { formatAgo } from '../components/format.ts'
import { newSince as texts } from '../messages/projects.ts'
import { startingPoints } from './run-facts.ts'

type Project = ResponseOf<'GET /api/v1/projects/{id}'>['data']

/** How many findings came since the last scan, or since a branch or a release that was scanned under its tag. */
export function NewSince({ project: { name, trend, defaultRef } }: { project: Project }) {
  const points = startingPoints(trend, defaultRef)
  const [chosen, setChosen] = useState(points[0]?.scanId)
  const from = points.find(({ scanId }) => scanId === chosen) ?? points[0]
  const newest = trend.find(({ ref }) => ref === defaultRef) ?? trend[0]
  const found = useQuery({
    queryKey: ['findings', name, 'open', 'since', from?.at],
    // Later than that scan itself, which saw its findings at the moment it was made.
    queryFn: () =>
      call('GET /api/v1/findings', {
        query: {
          project: name,
          state: 'open',
          review: 'exclude',
          firstSeenSince: new Date(Date.parse(from?.at ?? '') + 1).toISOString(),
          limit: 1,
        },
      }),
    enabled: from !== undefined,
  })
  if (!from || !newest) return null
  return (
    <div className="mb-3 flex flex-wrap items-end gap-x-4 gap-y-2 text-sm">
      <Select label={texts.label} value={from.scanId} onChange={(event) => setChosen(event.target.value)}>
        {points.map(({ scanId, ref, at }) => (
          <option key={scanId} value={scanId}>
            {ref === defaultRef ? texts.scanBefore(formatAgo(at)) : texts.scanOf(ref ?? '', formatAgo(at))}
          </option>
        ))}
      </Select>
      <p role="status" className="pb-2 font-medium tabular-nums">
        {found.data ? texts.count(found.data.data.total) : '\u00a0'}
      </p>
      <Link to="/compare" search={{ before: from.scanId, after: newest.scanId }} className="pb-2 text-accent underline">
        {texts.compare}
      </Link>
    </div>
  )
}
