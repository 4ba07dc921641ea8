import { useMutation, useQuery } from '@tanstack/react-query'
import { forgetDrafts } from '../scan-form/draft.ts'
import { call, Refusal } from './client.ts'

/** Who is logged in; null for a visitor. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: () =>
      call('GET /api/me', {}).catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 401) return null
        throw error
      }),
    staleTime: 60_000,
    retry: false,
  })
}

export function usePlan(userId: string) {
  return useQuery({
    queryKey: ['plan', userId],
    queryFn: () => call('GET /api/v1/user-plan', { query: { userId } }),
  })
}

export function useLogout() {
  return useMutation({
    mutationFn: () => call('POST /api/logout', {}),
    // Everything on screen, in memory and put aside belonged to the account: the first page is loaded anew, and knows nothing of it.
    onSuccess: () => {
      forgetDrafts(sessionStorage)
      location.assign('/')
    },
  })
}
