import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { call, callForText, fillPath, Refusal } from '../api/client.ts'
import { mayAct } from '../api/session.ts'
import { SinceLastTime } from '../compare/since-last-time.tsx'
import { buttonClass } from '../components/controls.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { LaterPart } from '../components/later-part.tsx'
import { Loading } from '../components/loading.tsx'
import { Failure, Page } from '../components/surfaces.tsx'
import { scanResult as texts } from '../messages/pages/scan-result.ts'
import { GateMark } from '../projects/gate-mark.tsx'
import { runFacts } from '../projects/run-facts.ts'
import { AiReviewForm } from '../result/ai-review-form.tsx'
import { ExportMenu } from '../result/export-menu.tsx'
import { readSources } from '../result/read-sources.ts'
import { ResultView } from '../result/result-view.tsx'
import { isReadInFull } from '../result/scan-view.ts'
import { useTriage } from '../result/use-triage.ts'
import { leaveDraft } from '../scan-form/draft.ts'
import { ShareButton } from '../share/share-button.tsx'

export function ScanResultPage() {
  return (
    <Guarded title="Scan result" shape="result">
      {(me) => <OneScan me={me} />}
    </Guarded>
  )
}

const LOOK_MS = 2000

const loadRun = async () => (await import('../run/run-page.tsx')).RunPage

const isUnfinished = (status: string | undefined): boolean => status === 'queued' || status === 'running'

/** As it is now: what is decided about findings changes how a run fares at the gate. */
function useProjectOf(name: string | null) {
  const found = useQuery({
    queryKey: ['projects', 'named', name],
    queryFn: () => call('GET /api/v1/projects', { query: { search: name ?? '' } }),
    enabled: name !== null,
  })
  return found.data?.data.projects.find((project) => project.name === name)
}

function OneScan({ me }: { me: Me }) {
  const { scanId } = useParams({ from: '/scans/$scanId' })
  const search = useSearch({ from: '/scans/$scanId' })
  const navigate = useNavigate({ from: '/scans/$scanId' })
  const scan = useQuery({
    queryKey: ['scan', scanId],
    queryFn: () => call('GET /api/v1/scans/{scanId}', { params: { scanId } }),
    refetchInterval: ({ state }) => (isUnfinished(state.data?.data.status) ? LOOK_MS : false),
  })
  const source = useQuery({
    enabled: scan.data?.data.status === 'completed',
    queryKey: ['source', scanId],
    queryFn: () => callForText('GET /api/v1/scans/{scanId}/source', { params: { scanId } }),
  })
  const data = scan.data?.data
  const text = source.data
  const sources = useMemo(
    () => (data?.status === 'completed' && text !== undefined ? readSources(text, data) : []),
    [data, text],
  )
  const project = useProjectOf(data?.status === 'completed' ? data.project : null)
  const triage = useTriage(data?.status === 'completed' ? data : undefined, mayAct(me, 'member'))
  const failed = scan.error ?? source.error
  if (failed)
    return (
      <Page title={failed instanceof Refusal && failed.status === 404 ? texts.notFound : 'Scan result'}>
        <Failure
          error={failed}
          retry={() => {
            scan.refetch()
            source.refetch()
          }}
        />
      </Page>
    )
  if (data && data.status !== 'completed')
    return (
      <LaterPart name="run" load={loadRun} props={{ scan: data }} pending={<Page title={data.fileName}>{null}</Page>} />
    )
  if (!data || source.data === undefined)
    return (
      <Page wide title="Scan result">
        <Loading what={texts.loadingScan} shape="result" />
      </Page>
    )
  const takeAlong = () =>
    leaveDraft(
      data.files
        ? { name: data.fileName ?? 'project', sources, belongsTo: data.project ?? '' }
        : { source: text ?? '', name: data.fileName ?? 'Contract.sol', belongsTo: data.project ?? '' },
    )
  return (
    <Page
      wide
      fill
      title={data.fileName ?? 'Scan result'}
      lead={
        <>
          <span title={formatTime(data.createdAt)}>Scanned {formatAgo(data.createdAt)}</span>
          {data.project !== null && (
            <>
              {' · '}
              {project ? (
                <Link to="/projects/$projectId" params={{ projectId: project.id }} className="underline">
                  {data.project}
                </Link>
              ) : (
                data.project
              )}
            </>
          )}
          {runFacts({
            ...data,
            completeness: isReadInFull(data) ? 'full' : data.completeness,
            startedAt: null,
            finishedAt: null,
          }).map((fact) => ` · ${fact}`)}{' '}
          <GateMark gate={project?.trend.find((run) => run.scanId === scanId)?.gate ?? data.gate} long />
        </>
      }
      actions={
        <>
          <ExportMenu scanId={scanId} scan={data} name={data.fileName ?? 'scan'} recordOf={triage?.recordOf} />
          {mayAct(me, 'member') && (
            <>
              <AiReviewForm userId={me.userId} sources={sources} />
              <ShareButton scanId={scanId} project={data.project} />
            </>
          )}
          <Link to="/compare" search={{ after: scanId }} className={buttonClass()}>
            Compare
          </Link>
          {mayAct(me, 'member') && (
            <Link to="/scan" className={buttonClass('primary')} onClick={takeAlong}>
              Scan again
            </Link>
          )}
        </>
      }
    >
      <ResultView
        scan={data}
        sources={sources}
        search={search}
        triage={triage}
        addFiles={
          mayAct(me, 'member') && (
            <Link to="/scan" className={buttonClass('primary')} onClick={takeAlong}>
              {texts.addFiles}
            </Link>
          )
        }
        actions={<SinceLastTime scan={data} scanId={scanId} triage={triage} />}
        testHref={(fingerprint) => fillPath('/api/v1/scans/{scanId}/tests/{fingerprint}', { scanId, fingerprint })}
        onSearch={(next, step) => navigate({ search: next, replace: step === 'replace', resetScroll: false })}
      />
    </Page>
  )
}
