import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { Select } from '../components/controls.tsx'
import { formatTime } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { Card, Empty, Failure, Loading, Page } from '../components/surfaces.tsx'
import type { ViewFinding, ViewScan } from '../result/scan-view.ts'

export function ComparePage() {
  return <Guarded title="Compare two scans">{() => <Compare />}</Guarded>
}

function useScan(scanId: string | undefined) {
  return useQuery({
    queryKey: ['scan', scanId],
    queryFn: () => call('GET /api/v1/scans/{scanId}', { params: { scanId: scanId ?? '' } }),
    enabled: scanId !== undefined,
  })
}

function Compare() {
  const { before, after } = useSearch({ from: '/compare' })
  const navigate = useNavigate()
  const recent = useQuery({
    queryKey: ['scans', 'recent'],
    queryFn: () => call('GET /api/v1/scans', { query: { limit: 100 } }),
  })
  const old = useScan(before)
  const now = useScan(after)
  const pick = (which: 'before' | 'after') => (event: { target: { value: string } }) =>
    navigate({
      to: '/compare',
      search: { ...(before && { before }), ...(after && { after }), [which]: event.target.value },
    })
  const failed = recent.error ?? old.error ?? now.error
  return (
    <Page
      title="Compare two scans"
      lead="Findings are matched by fingerprint, which survives edits elsewhere in the file."
    >
      <div className="mb-6 grid gap-4 sm:grid-cols-2">
        {(['before', 'after'] as const).map((which) => (
          <Select
            key={which}
            label={which === 'before' ? 'Before' : 'After'}
            value={(which === 'before' ? before : after) ?? ''}
            onChange={pick(which)}
          >
            <option value="" disabled>
              Choose a scan
            </option>
            {recent.data?.data.scans.map((scan) => (
              <option key={scan.scanId} value={scan.scanId}>
                {scan.fileName}, {formatTime(scan.createdAt)}, score {scan.securityScore.score}
              </option>
            ))}
          </Select>
        ))}
      </div>
      {failed && <Failure error={failed} />}
      {!failed && (!before || !after) && <Empty title="Choose two scans above." />}
      {before && after && !failed && (!old.data || !now.data) && <Loading />}
      {old.data && now.data && <Difference before={old.data.data} after={now.data.data} afterId={after ?? ''} />}
    </Page>
  )
}

function Difference({ before, after, afterId }: { before: ViewScan; after: ViewScan; afterId: string }) {
  const known = new Set(before.dataVulnerabilities.map((finding) => finding.fingerprint))
  const kept = new Set(after.dataVulnerabilities.map((finding) => finding.fingerprint))
  const fresh = after.dataVulnerabilities.filter((finding) => !known.has(finding.fingerprint))
  const same = after.dataVulnerabilities.filter((finding) => known.has(finding.fingerprint))
  const fixed = before.dataVulnerabilities.filter((finding) => !kept.has(finding.fingerprint))
  const change = after.securityScore.score - before.securityScore.score
  return (
    <div className="space-y-4">
      <p className="text-lg">
        Score {before.securityScore.score} → <strong>{after.securityScore.score}</strong>{' '}
        <span className={change < 0 ? 'text-critical' : 'text-good'}>
          ({change >= 0 ? '+' : ''}
          {change})
        </span>
        {' · '}
        <Link to="/scans/$scanId" params={{ scanId: afterId }} className="text-accent underline">
          open the newer scan
        </Link>
      </p>
      <Group title={`New (${fresh.length})`} findings={fresh} none="Nothing new." />
      <Group title={`Fixed (${fixed.length})`} findings={fixed} none="Nothing was fixed." />
      <Group title={`Unchanged (${same.length})`} findings={same} none="Nothing is unchanged." />
    </div>
  )
}

function Group({ title, findings, none }: { title: string; findings: readonly ViewFinding[]; none: string }) {
  return (
    <Card title={title}>
      {findings.length === 0 && <p className="text-sm text-soft">{none}</p>}
      <ul className="space-y-2 text-sm">
        {findings.map((finding) => (
          <li key={finding.fingerprint} className="flex flex-wrap items-center gap-2">
            <SeverityBadge severity={finding.severity} />
            <span className="font-medium">{finding.title}</span>
            <span className="text-soft">
              {finding.vulnerabilityId} · {[finding.contract, finding.function].filter(Boolean).join('.')} line{' '}
              {finding.line}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
