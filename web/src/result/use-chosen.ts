import { useEffect, useRef, useState } from 'react'
import { useLatest } from '../components/use-latest.ts'
import type { ResultSearch } from './url-state.ts'

/** The address follows a reader who rests: one step back for a run of keys, and no work of the router between two of them. */
const REST_MS = 250

/** The key of the finding that the reader chose: at once on the screen, soon after in the address; a step back changes both. */
export function useChosen(
  search: ResultSearch,
  onSearch: (search: ResultSearch, step: 'push') => void,
): [chosen: string | undefined, choose: (key: string) => void] {
  const [chosen, setChosen] = useState(search.f)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  /** What the address has or is about to have by the reader's own choice: it comes late, and must not undo a later choice. */
  const followed = useRef(search.f)
  const follow = useLatest((key: string) => {
    followed.current = key
    onSearch({ ...search, f: key }, 'push')
  })
  useEffect(() => {
    if (search.f === followed.current) return
    followed.current = search.f
    clearTimeout(timer.current)
    setChosen(search.f)
  }, [search.f])
  useEffect(() => () => clearTimeout(timer.current), [])
  const choose = useLatest((key: string) => {
    setChosen(key)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => follow(key), REST_MS)
  })
  return [chosen, choose]
}
