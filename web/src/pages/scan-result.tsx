import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { call, callForText } from '../api/client.ts'
import { buttonClass } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { Failure, Loading, Page } from '../components/surfaces.tsx'
import { ExportMenu } from '../result/export-menu.tsx'
import { readSources } from '../result/read-sources.ts'
import { ResultView } from '../result/result-view.tsx'
import { leaveDraft } from '../scan-form/draft.ts'

export function ScanResultPage() {
  return <Guarded title="Scan result">{() => <OneScan />}</Guarded>
}

function OneScan() {
  const { scanId } = useParams({ from: '/scans/$scanId' })
  const search = useSearch({ from: '/scans/$scanId' })
  const navigate = useNavigate({ from: '/scans/$scanId' })
  const scan = useQuery({
    queryKey: ['scan', scanId],
    queryFn: () => call('GET /api/v1/scans/{scanId}', { params: { scanId } }),
  })
  const source = useQuery({
    queryKey: ['source', scanId],
    queryFn: () => callForText('GET /api/v1/scans/{scanId}/source', { params: { scanId } }),
  })
  const failed = scan.error ?? source.error
  if (failed)
    return (
      <Page title="Scan result">
        <Failure
          error={failed}
          retry={() => {
            scan.refetch()
            source.refetch()
          }}
        />
      </Page>
    )
  if (!scan.data || source.data === undefined)
    return (
      <Page title="Scan result">
        <Loading what="Loading the scan" />
      </Page>
    )
  const { data } = scan.data
  return (
    <Page
      wide
      title={data.fileName ?? 'Scan result'}
      lead={<span title={formatTime(data.createdAt)}>Scanned {formatAgo(data.createdAt)}</span>}
      actions={
        <>
          <ExportMenu scanId={scanId} scan={data} name={data.fileName ?? 'scan'} />
          <Link to="/compare" search={{ after: scanId }} className={buttonClass()}>
            Compare
          </Link>
          <Link
            to="/scan"
            className={buttonClass('primary')}
            onClick={() => leaveDraft({ source: source.data, name: data.fileName ?? 'Contract.sol' })}
          >
            Scan again
          </Link>
        </>
      }
    >
      <ResultView
        scan={data}
        sources={readSources(source.data, data)}
        search={search}
        onSearch={(next, step) => navigate({ search: next, replace: step === 'replace', resetScroll: false })}
      />
      <div className="mt-4">
        <p className="mb-1 text-xs text-soft">
          Link to this result, for yourself: it opens only when you are logged in.
        </p>
        <CopyBox value={location.href} label="link to this result" />
      </div>
    </Page>
  )
}
