import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type DetectorEntry, useDetectors } from '../api/detectors.ts'
import { isOneContract } from '../compare/is-one-contract.ts'
import { Loading } from '../components/loading.tsx'
import { LinkedProse, Prose } from '../components/prose.tsx'
import { References } from '../components/references.tsx'
import { SeverityBadge } from '../components/severity.tsx'
import { SourceView } from '../components/source-view.tsx'
import { Empty, Failure, Page } from '../components/surfaces.tsx'
import { DiffView } from '../fixes/fix-view.tsx'
import { detector as texts } from '../messages/pages/detector.ts'

/** What one detector looks for: how it is attacked, the mistake and its fix side by side, and where it is blind. */
export function DetectorPage() {
  const { detectorId } = useParams({ from: '/detectors/$detectorId' })
  const list = useDetectors()
  const detector = list.data?.data.detectors.find(({ id }) => id === detectorId)
  if (detector) return <Detector detector={detector} />
  return (
    <Page title="Detector">
      {list.isPending && <Loading what={texts.loadingCatalogue} shape="article" />}
      {list.isError && <Failure error={list.error} retry={() => list.refetch()} />}
      {list.data && (
        <Empty title={texts.detectorNotFound}>
          <Link to="/detectors" className="text-accent underline">
            All detectors
          </Link>
        </Empty>
      )}
    </Page>
  )
}

function Detector({ detector }: { detector: DetectorEntry }) {
  const { examples } = detector
  return (
    <Page
      title={detector.title}
      lead={
        <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
          <SeverityBadge severity={detector.severity} />
          <span>{detector.swc ? `${detector.swc} ${detector.registryTitle}` : texts.notSwc}</span>
          {detector.cwe.length > 0 && <span>{detector.cwe.join(', ')}</span>}
          <code className="font-mono text-sm">{detector.id}</code>
          {detector.aliases.length > 0 && <span>{texts.alsoCalled(detector.aliases.join(', '))}</span>}
        </span>
      }
      actions={
        <Link to="/detectors" className="text-sm text-accent underline">
          All detectors
        </Link>
      }
    >
      <div className="space-y-6">
        <p className="max-w-3xl">
          <Prose text={detector.description} />
        </p>
        {detector.attackScenario.length > 0 && (
          <Part title={texts.howAttacked}>
            <ol className="max-w-3xl list-decimal space-y-1 pl-5">
              {detector.attackScenario.map((step) => (
                <li key={step}>
                  <Prose text={step} />
                </li>
              ))}
            </ol>
          </Part>
        )}
        <Part title={texts.howFix}>
          <p className="max-w-3xl">
            <Prose text={detector.recommendation} />
          </p>
        </Part>
        {examples && <Examples {...examples} />}
        {detector.incidents.length > 0 && (
          <Part title={texts.incidents}>
            <ul className="max-w-3xl list-disc space-y-1 pl-5">
              {detector.incidents.map((incident) => (
                <li key={incident}>
                  <LinkedProse text={incident} />
                </li>
              ))}
            </ul>
          </Part>
        )}
        {detector.knownLimits.length > 0 && (
          <Part title="Known limits">
            <ul className="max-w-3xl list-disc space-y-1 pl-5">
              {detector.knownLimits.map((limit) => (
                <li key={limit}>
                  <Prose text={limit} />
                </li>
              ))}
            </ul>
          </Part>
        )}
        {detector.references.length > 0 && (
          <Part title="References">
            <References urls={detector.references} />
          </Part>
        )}
      </div>
    </Page>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <h2 className="mb-2 text-lg font-semibold">{title}</h2>
      {children}
    </section>
  )
}

/** The same contract twice as its changed lines; two contracts side by side. */
function Examples({ vulnerable, safe }: { vulnerable: string; safe: string }) {
  if (isOneContract(vulnerable, safe))
    return (
      <Part title={texts.vulnerableFixed}>
        <div className="overflow-hidden rounded-lg border border-line">
          <DiffView before={vulnerable} after={safe} />
        </div>
      </Part>
    )
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Example title="Vulnerable" source={vulnerable} />
      <Example title="Safe" source={safe} />
    </div>
  )
}

function Example({ title, source }: { title: string; source: string }) {
  return (
    <section className="min-w-0">
      <h2 className="mb-2 text-lg font-semibold">{title}</h2>
      <div className="rounded-lg border border-line">
        <SourceView source={source} marks={[]} focus={null} />
      </div>
    </section>
  )
}
