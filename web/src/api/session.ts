import { useMutation, useQuery } from '@tanstack/react-query'
import { forgetDrafts } from '../scan-form/draft.ts'
import { actingFor, rememberActingFor } from './acting-for.ts'
import { call, Refusal, type ResponseOf } from './client.ts'

export type Organization = ResponseOf<'GET /api/v1/organisations'>['data']['organisations'][number]

/** `userId` is that of the account in force: the organization's, where the person acts for one. */
export type Me = ResponseOf<'GET /api/me'> & { organization: Organization | null }

/** Who is logged in, and for which account; null for a visitor. */
export function useMe() {
  return useQuery({
    queryKey: ['me'],
    queryFn: () =>
      readMe().catch((error: unknown) => {
        if (error instanceof Refusal && error.status === 401) return null
        throw error
      }),
    staleTime: 60_000,
    retry: false,
  })
}

async function readMe(): Promise<Me> {
  const me = await call('GET /api/me', {})
  const id = actingFor()
  if (!id) return { ...me, organization: null }
  const { data } = await call('GET /api/v1/organisations', { query: { limit: 100 } })
  const organization = data.organisations.find((one) => one.id === id) ?? null
  // The person left it, or was removed.
  if (!organization) rememberActingFor(null)
  return { ...me, userId: organization?.id ?? me.userId, organization }
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
      rememberActingFor(null)
      location.assign('/')
    },
  })
}
