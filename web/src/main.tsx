import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { actForAccountOfLink } from './api/acting-for.ts'
import { Refusal } from './api/client.ts'
import { isOnline } from './api/online.ts'
import { focusHeadingAfterNavigation } from './focus-heading.ts'
import { router } from './router.tsx'
import './styles.css'

/** Takes the place of whatever the page shows. */
export function startApplication(page: HTMLElement): void {
  document.documentElement.classList.remove('first-page')
  focusHeadingAfterNavigation()
  const address = actForAccountOfLink(location.href)
  if (address !== location.href) history.replaceState(history.state, '', address)
  const queries = new QueryClient({
    defaultOptions: {
      // Without a network they fail at once, in words, instead of waiting in silence and being sent later.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        refetchOnReconnect: 'always',
        // A refusal is an answer: asking again changes nothing. Only a lost connection is worth another try.
        retry: (failures, error) => isOnline() && failures < 2 && (!(error instanceof Refusal) || error.status === 0),
        staleTime: 5_000,
      },
    },
  })
  const root = document.createElement('div')
  page.replaceChildren(root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queries}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  )
}
