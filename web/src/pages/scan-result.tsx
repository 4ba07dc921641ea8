import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { call, callForText, fillPath } from '../api/client.ts'
import { buttonClass } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { formatTime } from '../components/format.ts'
import { Guarded } from '../components/guarded.tsx'
import { Failure, Loading, Page } from '../components/surfaces.tsx'
import { ResultView } from '../result/result-view.tsx'

export function ScanResultPage() {
  return <Guarded title="Scan result">{() => <OneScan />}</Guarded>
}

const formats = ['sarif', 'markdown', 'html', 'json'] as const

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
      lead={`Scanned ${formatTime(data.createdAt)}`}
      actions={
        <>
          <Link to="/compare" search={{ after: scanId }} className={buttonClass()}>
            Compare
          </Link>
          <Link to="/scan" className={buttonClass('primary')}>
            Scan again
          </Link>
        </>
      }
    >
      <ResultView
        scan={data}
        sources={[{ path: data.fileName ?? 'contract.sol', text: source.data }]}
        search={search}
        onSearch={(next, step) => navigate({ search: next, replace: step === 'replace', resetScroll: false })}
        actions={
          <div className="flex flex-wrap items-center gap-2 text-sm">
            <span className="text-soft">Download</span>
            {formats.map((format) => (
              <a
                key={format}
                className={buttonClass()}
                href={`${fillPath('/api/v1/scans/{scanId}/report', { scanId })}?format=${format}`}
                download
              >
                {format === 'sarif' ? 'SARIF' : format === 'json' ? 'JSON' : format === 'html' ? 'HTML' : 'Markdown'}
              </a>
            ))}
          </div>
        }
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
