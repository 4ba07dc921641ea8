import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Select, Toggle } from '../components/controls.tsx'
import { Loading } from '../components/loading.tsx'
import { Prose } from '../components/prose.tsx'
import { Empty, Failure, Page } from '../components/surfaces.tsx'
import { reference as texts } from '../messages/pages/reference.ts'
import { type Language, languages } from '../reference/example-request.ts'
import { Method, OperationView } from '../reference/operation-view.tsx'
import { type ApiDocument, readSections, type Section } from '../reference/read-document.ts'
import { useOwnKey } from '../reference/use-own-key.ts'

/** What all pages share, and the operations of one section: all of them are five times as much. */
async function readDocument(slug: string): Promise<{ introduction: string; sections: Section[] }> {
  const answer = await fetch(`/openapi.json?section=${encodeURIComponent(slug)}`)
  if (!answer.ok) throw new Error(texts.referenceCouldNotLoaded)
  const document = (await answer.json()) as ApiDocument
  return { introduction: document.info.description, sections: readSections(document) }
}

/** Every operation of the service, made of its own description: where it is, what it takes and gives, and an example. */
export function ReferencePage() {
  const { section: slug = '' } = useParams({ strict: false })
  const api = useQuery({
    queryKey: ['openapi', slug],
    queryFn: () => readDocument(slug),
    staleTime: 600_000,
    placeholderData: keepPreviousData,
  })
  const section = api.data?.sections.find((one) => one.slug === slug)
  return (
    <Page title={section ? `API: ${section.name}` : 'API reference'} wide>
      {api.isPending && <Loading what={texts.loadingReference} shape="columns" />}
      {api.isError && <Failure error={api.error} retry={() => api.refetch()} />}
      {api.data && (
        <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[14rem_minmax(0,1fr)]">
          <Contents sections={api.data.sections} current={slug} />
          <div className="min-w-0">
            {slug === '' && <Introduction text={api.data.introduction} />}
            {section &&
              (api.isPlaceholderData ? (
                <Loading what={texts.loadingReference} shape="text" />
              ) : (
                <Operations key={slug} section={section} />
              ))}
            {slug !== '' && !section && <Empty title={texts.pageNotFound} />}
          </div>
        </div>
      )}
    </Page>
  )
}

const entry = 'block rounded px-2 py-1 hover:bg-sunken'

function Contents({ sections, current }: { sections: readonly Section[]; current: string }) {
  return (
    <nav
      aria-label="Reference"
      className="text-sm lg:sticky lg:top-16 lg:max-h-[calc(100dvh-5rem)] lg:self-start lg:overflow-y-auto"
    >
      <ul className="flex gap-1 overflow-x-auto lg:block">
        <li className="shrink-0">
          <Link
            to="/docs"
            activeOptions={{ exact: true }}
            className={entry}
            activeProps={{ className: `${entry} font-semibold` }}
          >
            Introduction
          </Link>
        </li>
        {sections.map(({ slug, name, operations }) => (
          <li key={slug} className="shrink-0">
            <Link
              to="/docs/$section"
              params={{ section: slug }}
              className={`${entry} whitespace-nowrap ${slug === current ? 'bg-sunken font-semibold' : ''}`}
            >
              {name}
            </Link>
            {slug === current && (
              <ul className="mb-2 border-l border-line pl-2 max-lg:hidden">
                {operations.map(({ id, method, summary }) => (
                  <li key={id}>
                    <a href={`#${id}`} className={`${entry} text-xs text-soft`}>
                      <Method name={method} /> {summary}
                    </a>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Introduction({ text }: { text: string }) {
  return (
    <div className="max-w-3xl space-y-4">
      {text.split('\n\n').map((paragraph) => (
        <p key={paragraph}>
          <Prose text={paragraph.replaceAll('**', '')} />
        </p>
      ))}
      <p>
        {texts.sameMachines}{' '}
        <a className="text-accent underline" href="/openapi.json">
          /openapi.json
        </a>
        {texts.openapiBegin}{' '}
        <Link className="text-accent underline" to="/docs/$section" params={{ section: 'scans' }}>
          Scans
        </Link>
        .
      </p>
    </div>
  )
}

function Operations({ section }: { section: Section }) {
  const [language, setLanguage] = useState<Language>('curl')
  const own = useOwnKey()
  const sender = { base: location.origin, key: own.key }
  useEffect(() => {
    // The address may name an operation that was not there when the browser looked for it.
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end justify-between gap-4">
        <p className="max-w-2xl text-soft">{section.description}</p>
        <div className="flex flex-wrap items-end gap-4">
          {own.isLoggedIn && <Toggle label={texts.useMyApiKey} checked={own.isWanted} onChange={own.setWanted} />}
          <Select
            label="Language"
            value={language}
            onChange={(event) => setLanguage(event.target.value as Language)}
            className="w-36"
          >
            {languages.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </Select>
        </div>
      </div>
      {own.hasNone && <p className="mb-2 text-sm text-soft">{texts.noActiveApiKey}</p>}
      {section.operations.map((operation) => (
        <OperationView key={operation.id} operation={operation} language={language} sender={sender} />
      ))}
    </>
  )
}
