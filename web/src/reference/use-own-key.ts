import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { useMe } from '../api/session.ts'

/** The reader's own key, fetched from the service only when the reader wants to see it in the lines. */
export function useOwnKey() {
  const me = useMe({ isOpenPage: true })
  const [isWanted, setWanted] = useState(false)
  const keys = useQuery({
    queryKey: ['keys', me.data?.userId],
    queryFn: () => call('GET /api/v1/user-api-keys', { query: { userId: me.data?.userId ?? '' } }),
    enabled: isWanted && Boolean(me.data),
  })
  const own = keys.data?.data.apiKeys.find(({ status }) => status === 'ACTIVE')?.keyValue
  return {
    isLoggedIn: Boolean(me.data),
    isWanted,
    setWanted,
    key: isWanted ? own : undefined,
    hasNone: isWanted && keys.isSuccess && own === undefined,
  }
}
