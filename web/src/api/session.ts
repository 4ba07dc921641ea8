import { useMutation, useQuery } from '@tanstack/react-query'
import { forgetDrafts } from '../scan-form/draft.ts'
import { actingFor, rememberActingFor } from './acting-for.ts'
import { call, Refusal, type ResponseOf } from './client.ts'
import { isAccountKnown, rememberAccount } from './known-account.ts'

export type Organization = ResponseOf<'GET /api/v1/organisations'>['data']['organisations'][number]

export type Role = Organization['role']

/** `userId` and `plan` are those of the account in force: the organization's, where the person acts for one. */
export type Me = Omit<ResponseOf<'GET /api/me'>, 'plan'> & { plan: string; organization: Organization | null }

const ranks: readonly Role[] = ['auditor', 'member', 'owner']

/** Whether a role in the account in force is theirs; one's own account is all one's own. */
export const mayAct = ({ organization }: Pick<Me, 'organization'>, role: Role): boolean =>
  !organization || ranks.indexOf(organization.role) >= ranks.indexOf(role)

/**
 * Who is logged in, and for which account; null for a visitor. A page that everybody may open (`isOpenPage`) does not ask where nobody
 * was logged in before; one that needs an account always does.
 */
export function useMe({ isOpenPage = false } = {}) {
  return useQuery({
    queryKey: ['me'],
    queryFn: () => (isOpenPage && !isAccountKnown() ? null : requestMe()),
    staleTime: ({ state }) => (state.data || isOpenPage ? 60_000 : 0),
    retry: false,
  })
}

async function requestMe(): Promise<Me | null> {
  try {
    const me = await readMe()
    rememberAccount(true)
    return me
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 401)) throw error
    rememberAccount(false)
    return null
  }
}

async function readMe(): Promise<Me> {
  const me = await call('GET /api/me', {})
  const id = actingFor()
  if (!id) return { ...me, organization: null }
  const { data } = await call('GET /api/v1/organisations', { query: { limit: 100 } })
  const organization = data.organisations.find((one) => one.id === id) ?? null
  // The person left it, or was removed.
  if (!organization) rememberActingFor(null)
  return { ...me, userId: organization?.id ?? me.userId, plan: organization?.plan ?? me.plan, organization }
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
      rememberAccount(false)
      location.assign('/')
    },
  })
}
