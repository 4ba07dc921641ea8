import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { callForText } from '../api/client.ts'
import { changedFiles } from '../compare/changed-files.ts'
import { compareFindings, findingsOf, previousScan } from '../compare/compare-findings.ts'
import { SourceDiff } from '../compare/source-diff.tsx'
import { useRecentScans, useScan } from '../compare/use-scans.ts'
import { Button, buttonClass, Select } from '../components/controls.tsx'
import { formatSecond } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import type { SourceMark } from '../components/source-view.tsx'
import { Card, Empty, Failure, Note, Page } from '../components/surfaces.tsx'
import { compare as texts } from '../messages/pages/compare.ts'
import { isSetAside } from '../result/decisions.ts'
import { readSources } from '../result/read-sources.ts'
import { codePlace, linePlace, type ViewFinding, type ViewScan } from '../result/scan-view.ts'
import { useTriage } from '../result/use-triage.ts'

export function ComparePage() {
  return (
    <Guarded title={texts.compareTwoScans} shape="comparison">
      {() => <Compare />}
    </Guarded>
  )
}

function useSource(scanId: string) {
  return useQuery({
    queryKey: ['source', scanId],
    queryFn: () => callForText('GET /api/v1/scans/{scanId}/source', { params: { scanId } }),
  })
}

function Compare() {
  const search = useSearch({ from: '/compare' })
  const navigate = useNavigate()
  const recent = useRecentScans()
  const scans = (recent.data?.data.scans ?? []).filter(({ status }) => status === 'completed')
  const { after } = search
  // Who comes from a result wants to know what changed since the last time.
  const before = search.before ?? (after && previousScan(scans, after)?.scanId)
  const old = useScan(before)
  const now = useScan(after)
  // A link to this page shows the same two scans to everyone.
  useEffect(() => {
    if (before && after && !search.before) navigate({ to: '/compare', search: { before, after }, replace: true })
  }, [before, after, search.before, navigate])
  const pick = (which: 'before' | 'after') => (event: { target: { value: string } }) =>
    navigate({
      to: '/compare',
      search: { ...(before && { before }), ...(after && { after }), [which]: event.target.value },
    })
  const failed = recent.error ?? old.error ?? now.error
  const isWaiting = !failed && (recent.isPending || old.isLoading || now.isLoading)
  return (
    <Page title={texts.compareTwoScans} lead={texts.findingsMatchedFingerprintWhich}>
      <div className="mb-6 grid gap-4 sm:grid-cols-2">
        {(['before', 'after'] as const).map((which) => (
          <Select
            key={which}
            label={which === 'before' ? 'Before' : 'After'}
            value={(which === 'before' ? before : after) ?? ''}
            onChange={pick(which)}
          >
            <option value="" disabled>
              {texts.selectScan}
            </option>
            {scans.map((scan) => (
              <option key={scan.scanId} value={scan.scanId}>
                {scan.fileName}, {formatSecond(scan.createdAt)}, score {scan.securityScore?.score}
              </option>
            ))}
          </Select>
        ))}
      </div>
      {failed && <Failure error={failed} />}
      {isWaiting && <Loading what={texts.loadingScans} shape="comparison" />}
      {!failed && !isWaiting && (!before || !after) && <NotChosen areThereTwo={scans.length > 1} />}
      {before && after && old.data && now.data && (
        <div className="space-y-4">
          <Difference before={old.data.data} after={now.data.data} afterId={after} />
          <Sources before={{ ...old.data.data, scanId: before }} after={{ ...now.data.data, scanId: after }} />
        </div>
      )}
    </Page>
  )
}

function NotChosen({ areThereTwo }: { areThereTwo: boolean }) {
  if (areThereTwo) return <Empty title={texts.selectTwoScansAbove} />
  return (
    <Empty title={texts.youNeedTwoScans}>
      <Link to="/scan" className={buttonClass('primary')}>
        {texts.scanContract}
      </Link>
    </Empty>
  )
}

type NamedScan = ViewScan & {
  scanId: string
  fileName: string
  project: string | null
  files?: readonly unknown[] | undefined
}

function Difference({ before, after, afterId }: { before: NamedScan; after: NamedScan; afterId: string }) {
  const triage = useTriage(after, false)
  const { fresh, fixed, suppressed, decided, same } = compareFindings(before, after, (finding) =>
    isSetAside({ state: triage?.recordOf(finding)?.state }),
  )
  const change = after.securityScore.score - before.securityScore.score
  return (
    <>
      {before.fileName !== after.fileName && (
        <Note tone="warn">
          {texts.theseScansDifferentFiles}
          {before.fileName} and {after.fileName}
          {texts.newFixedCountsMay}
        </Note>
      )}
      <p className="text-lg">
        Score {before.securityScore.score} → <strong>{after.securityScore.score}</strong>{' '}
        <span className={change < 0 ? 'text-critical' : change > 0 ? 'text-good' : 'text-soft'}>
          ({change === 0 ? 'unchanged' : `${change > 0 ? '+' : ''}${change}`})
        </span>
        {' · '}
        <Link to="/scans/$scanId" params={{ scanId: afterId }} className="text-accent underline">
          {texts.viewLatestScan}
        </Link>
      </p>
      <Group title={`New (${fresh.length})`} findings={fresh} none={texts.noNewFindings} scanId={afterId} />
      <Group title={`Fixed (${fixed.length})`} findings={fixed} none={texts.noFixedFindings} />
      {suppressed.length > 0 && (
        <Group title={texts.suppressedComment(suppressed.length)} findings={suppressed} none="" />
      )}
      {decided.length > 0 && (
        <Group title={`Dismissed (${decided.length})`} findings={decided} none="" scanId={afterId} />
      )}
      <Group title={`Unchanged (${same.length})`} findings={same} none={texts.noUnchangedFindings} scanId={afterId} />
    </>
  )
}

/** What differs in the sources: of a project, file by file. */
function Sources({ before, after }: { before: NamedScan & { scanId: string }; after: NamedScan & { scanId: string } }) {
  const old = useSource(before.scanId)
  const now = useSource(after.scanId)
  if (old.isError || now.isError) return <Failure error={old.error ?? now.error} />
  if (old.data === undefined || now.data === undefined) return <Loading what={texts.loadingSources} />
  const changed = changedFiles(readSources(old.data, before), readSources(now.data, after))
  if (changed.length === 0) return <Note>{texts.noSourceChanges}</Note>
  return changed.map((file) => (
    <section key={file.path} aria-label={texts.whatChanged(file.path)}>
      <h2 className="mb-2 font-mono text-sm font-semibold">{file.path}</h2>
      <SourceDiff
        before={file.before}
        after={file.after}
        marksBefore={marksIn(before, file.path)}
        marksAfter={marksIn(after, file.path)}
      />
    </section>
  ))
}

/** A finding of a scan of one file names none. */
const marksIn = (scan: NamedScan, path: string): SourceMark[] =>
  findingsOf(scan)
    .filter(({ file }) => file === undefined || file === path)
    .map(({ line, severity, title }) => ({ line, severity, label: title }))

/** More than these are folded: what changed is worth reading first. */
const mostShown = 12

function Group({
  title,
  findings,
  none,
  scanId,
}: {
  title: string
  findings: readonly ViewFinding[]
  none: string
  /** The scan that still has them, to open each there. */
  scanId?: string
}) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? findings : findings.slice(0, mostShown)
  return (
    <Card title={title}>
      {findings.length === 0 && <p className="text-sm text-soft">{none}</p>}
      <ul className="space-y-2 text-sm">
        {shown.map((finding) => (
          <li key={finding.fingerprint} className="flex items-start gap-2">
            <SeverityBadge severity={finding.severity} />
            <span className="min-w-0">
              {scanId ? (
                <Link
                  to="/scans/$scanId"
                  params={{ scanId }}
                  search={{ f: finding.fingerprint }}
                  className="font-medium text-accent underline"
                >
                  {finding.title}
                </Link>
              ) : (
                <span className="font-medium">{finding.title}</span>
              )}{' '}
              <span className="text-soft max-sm:block">
                {[
                  finding.vulnerabilityId ?? texts.notInSwc,
                  finding.kind === 'review' && texts.needsReview,
                  codePlace(finding),
                  linePlace(finding),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </span>
          </li>
        ))}
      </ul>
      {shown.length < findings.length && (
        <Button className="mt-3" onClick={() => setWhole(true)}>
          Show all {findings.length}
        </Button>
      )}
    </Card>
  )
}
