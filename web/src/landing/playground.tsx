import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Button } from '../components/controls.tsx'
import { Failure, Loading } from '../components/surfaces.tsx'
import { exampleSource } from '../playground/example.ts'
import type { LiveAnswer, LiveScanner } from '../playground/live-scanner.ts'
import type { EditorHandle } from '../playground/marked-editor.tsx'
import { marksOf } from '../playground/marks.ts'
import type { ResultSearch } from '../result/url-state.ts'
import { keepDraft } from '../scan-form/draft.ts'
import { SourceInput } from '../scan-form/source-input.tsx'
import { LiveResult } from './live-result.tsx'
import { promise } from './words.ts'

/** Not part of the first load: there is nothing to show before somebody asks for the whole of it. */
const ResultView = lazy(() => import('../result/result-view.tsx').then((module) => ({ default: module.ResultView })))

const PAUSE_MS = 250
/** Beyond this a scan takes longer than the pause between two letters. */
const longestLive = 100_000

/** An editor that marks lines as one types, with the result beside it. */
export function Playground({ isMember, early }: { isMember: boolean; early?: string | undefined }) {
  const [source, setSource] = useState(early ?? exampleSource)
  const [name, setName] = useState(early === undefined ? 'PiggyBank.sol' : 'Contract.sol')
  const [search, setSearch] = useState<ResultSearch>({})
  const [isAwake, setAwake] = useState(early !== undefined)
  const editor = useRef<EditorHandle>(null)
  const navigate = useNavigate()
  const live = useLiveScan(source, isAwake)
  const scan = useMutation({
    mutationFn: async (text: string) => {
      const { scanInBrowser } = await import('../playground/scan-in-browser.ts')
      return { text, result: await scanInBrowser(text) }
    },
  })
  const marks = live?.kind === 'result' && live.source === source ? marksOf(live.result) : []
  const keep = () => {
    keepDraft({ source, name }, sessionStorage)
    return navigate({ to: isMember ? '/home' : '/register' })
  }
  return (
    <section aria-labelledby="playground" className="mt-10 space-y-4">
      <div>
        <h2 id="playground" className="text-xl font-semibold">
          Try it here
        </h2>
        <p className="text-sm text-soft">{promise}</p>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <SourceInput
          name={name}
          source={source}
          rows={22}
          marks={marks}
          editor={editor}
          onWake={() => setAwake(true)}
          onChange={(text, fileName) => {
            setSource(text)
            setName(fileName)
          }}
        />
        <LiveResult
          answer={live}
          isCurrent={live?.source === source}
          isAwake={isAwake}
          onShow={(line) => editor.current?.show(line)}
          onKeep={keep}
          isMember={isMember}
        />
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          look="primary"
          busy={scan.isPending}
          disabled={source.trim() === ''}
          onClick={() => {
            setAwake(true)
            scan.mutate(source)
          }}
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

/** The newest answer about a text that changes; the engine is loaded when somebody is about to type, not before. */
function useLiveScan(source: string, isAwake: boolean): LiveAnswer | null {
  const [answer, setAnswer] = useState<LiveAnswer | null>(null)
  const [scanner, setScanner] = useState<LiveScanner | null>(null)
  useEffect(() => {
    if (!isAwake) return
    let made: LiveScanner | null = null
    let isOver = false
    import('../playground/live-scanner.ts').then(({ createLiveScanner }) => {
      if (isOver) return
      made = createLiveScanner(setAnswer)
      setScanner(made)
    })
    return () => {
      isOver = true
      made?.close()
    }
  }, [isAwake])
  useEffect(() => {
    if (!scanner || source.trim() === '' || source.length > longestLive) return
    const timer = setTimeout(() => scanner.scan(source), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [scanner, source])
  return answer
}
