import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { call, callForText } from '../api/client.ts'
import { buttonClass } from '../components/controls.tsx'
import { formatAgo, formatDate, formatTime } from '../components/format.ts'
import { Loading } from '../components/loading.tsx'
import { Empty, Failure, Page } from '../components/surfaces.tsx'
import { shared as texts } from '../messages/pages/shared.ts'
import { recordFinder } from '../result/decisions.ts'
import { ExportMenu } from '../result/export-menu.tsx'
import { readSources } from '../result/read-sources.ts'
import { ResultView } from '../result/result-view.tsx'
import type { ViewFinding } from '../result/scan-view.ts'
import { readToken } from '../share/link-words.ts'

/** What a secret link opens, for readers without an account. */
export function SharedPage() {
  useUnlisted()
  // Another link in the same tab changes nothing but this part of the address.
  const token = useLocation({ select: ({ hash }) => readToken(hash) })
  if (!token)
    return (
      <Page title="Shared result">
        <Empty title="Incomplete link">{texts.requestFullLink}</Empty>
      </Page>
    )
  return <SharedResult key={token} token={token} />
}

/** Search engines that run scripts read it here, the others by a header. */
function useUnlisted(): void {
  useEffect(() => {
    const meta = document.createElement('meta')
    meta.name = 'robots'
    meta.content = 'noindex, nofollow, noarchive'
    document.head.append(meta)
    return () => meta.remove()
  }, [])
}

function SharedResult({ token }: { token: string }) {
  const search = useSearch({ from: '/shared' })
  const navigate = useNavigate({ from: '/shared' })
  const scan = useQuery({
    queryKey: ['shared', token],
    queryFn: () => call('GET /api/v1/shared/{token}', { params: { token } }),
  })
  const data = scan.data?.data
  const includesSource = data?.shared.includesSource ?? false
  const source = useQuery({
    enabled: includesSource,
    queryKey: ['shared-source', token],
    queryFn: () => callForText('GET /api/v1/shared/{token}/source', { params: { token } }),
  })
  const text = source.data
  const sources = useMemo(() => (data && text !== undefined ? readSources(text, data) : []), [data, text])
  const stateOf = useMemo(() => {
    const decided = data && recordFinder(data.shared.states, data.fileName)
    return decided && ((finding: ViewFinding) => decided(finding)?.state ?? ('open' as const))
  }, [data])
  const failed = scan.error ?? source.error
  if (failed || !data || (includesSource && source.data === undefined))
    return (
      <Page title="Shared result" wide={!failed}>
        {failed ? (
          <Failure error={failed} retry={() => scan.refetch()} />
        ) : (
          <Loading what={texts.loadingResult} shape="result" />
        )}
      </Page>
    )
  return (
    <Page
      wide
      fill
      title={data.fileName}
      lead={
        <>
          <span title={formatTime(data.createdAt)}>Scanned {formatAgo(data.createdAt)}</span>
          {texts.sharedYouUntil} {formatDate(data.shared.expiresAt)}
          {!includesSource && texts.withoutSource}
        </>
      }
      actions={
        <>
          <ExportMenu scan={data} name={data.fileName} stateOf={stateOf} />
          <Link to="/" className={buttonClass('primary')}>
            {texts.scanYourOwn}
          </Link>
        </>
      }
    >
      <ResultView
        scan={data}
        sources={sources}
        stateOf={stateOf}
        search={search}
        onSearch={(next, step) =>
          navigate({ search: next, hash: true, replace: step === 'replace', resetScroll: false })
        }
      />
    </Page>
  )
}
