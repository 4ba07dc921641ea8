import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useMe } from '../api/session.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { Failure, Loading } from '../components/surfaces.tsx'
import { exampleSource } from '../playground/example.ts'
import type { ResultSearch } from '../result/url-state.ts'
import { SourceInput } from '../scan-form/source-input.tsx'

/** Not part of the first load: there is nothing to show before the first scan. */
const ResultView = lazy(() => import('../result/result-view.tsx').then((module) => ({ default: module.ResultView })))

export function LandingPage() {
  const me = useMe()
  useEffect(() => {
    document.title = 'Assay: smart-contract scanning'
  }, [])
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6">
      <header className="max-w-3xl">
        <h1 tabIndex={-1} className="text-3xl font-semibold outline-none sm:text-4xl">
          Know what is wrong with a contract before anyone else does.
        </h1>
        <p className="mt-3 text-lg text-soft">
          Assay reads Solidity 0.4 to 0.8, follows data, order and guards, and shows each weakness at its line: why it
          is one, and how to fix it.
        </p>
        <div className="mt-5 flex flex-wrap gap-2">
          <Link to={me.data ? '/scan' : '/register'} className={buttonClass('primary')}>
            {me.data ? 'Scan a contract' : 'Sign up to keep results'}
          </Link>
          <Link to="/detectors" className={buttonClass()}>
            What it finds
          </Link>
        </div>
      </header>
      <Playground />
    </div>
  )
}

function Playground() {
  const [source, setSource] = useState(exampleSource)
  const [name, setName] = useState('PiggyBank.sol')
  const [search, setSearch] = useState<ResultSearch>({})
  const scan = useMutation({
    mutationFn: async (text: string) => {
      const { scanInBrowser } = await import('../playground/scan-in-browser.ts')
      return { text, result: await scanInBrowser(text) }
    },
  })
  return (
    <section aria-labelledby="playground" className="mt-10 space-y-4">
      <div>
        <h2 id="playground" className="text-xl font-semibold">
          Try it here
        </h2>
        <p className="text-sm text-soft">The engine runs in your browser. Nothing is uploaded, no account is needed.</p>
      </div>
      <SourceInput
        name={name}
        source={source}
        onChange={(text, fileName) => {
          setSource(text)
          setName(fileName)
        }}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={scan.isPending}
          disabled={source.trim() === ''}
          onClick={() => scan.mutate(source)}
        >
          {scan.isPending ? 'Scanning' : 'Scan in this browser'}
        </Button>
        <Button
          onClick={() => {
            setSource(exampleSource)
            setName('PiggyBank.sol')
          }}
        >
          Load the example
        </Button>
      </div>
      <div aria-live="polite">
        {scan.isError && <Failure error={scan.error} />}
        {scan.data && (
          <Suspense fallback={<Loading what="Loading the result" />}>
            <ResultView
              scan={scan.data.result}
              sources={[{ path: name, text: scan.data.text }]}
              search={search}
              onSearch={setSearch}
            />
          </Suspense>
        )}
      </div>
    </section>
  )
}
