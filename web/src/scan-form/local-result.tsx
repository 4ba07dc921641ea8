import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Loading } from '../components/loading.tsx'
import { Failure, Note } from '../components/surfaces.tsx'
import { localResult as texts } from '../messages/scan-form.ts'
import { scanInBrowser } from '../playground/scan-in-browser.ts'
import { ResultView } from '../result/result-view.tsx'
import type { ViewSource } from '../result/scan-view.ts'
import type { ResultSearch } from '../result/url-state.ts'

/** The engine in the reader's own browser: no upload, no quota, nothing kept. */
export function LocalResult({ sources }: { sources: readonly ViewSource[] }) {
  const [search, setSearch] = useState<ResultSearch>({})
  const scan = useQuery({
    queryKey: ['local scan', sources],
    queryFn: () => scanInBrowser(sources.length === 1 ? (sources[0]?.text ?? '') : sources),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (scan.isPending) return <Loading what={texts.scanningBrowser} shape="result" />
  if (scan.isError) return <Failure error={scan.error} />
  return (
    <div className="space-y-4">
      <Note>{texts.localScanNotSaved}</Note>
      <ResultView scan={scan.data} sources={sources} search={search} onSearch={setSearch} />
    </div>
  )
}
