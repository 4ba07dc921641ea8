import { useMutation } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { readSite } from '../api/site.ts'
import { Button } from '../components/controls.tsx'
import { Failure } from '../components/surfaces.tsx'
import { providers as texts } from '../messages/sign-in.ts'
import { keepNext } from './next-page.ts'

/** One button for each provider that the operator configured; nothing where there is none. */
export function ProviderButtons({ next }: { next?: string | undefined }) {
  const start = useMutation({
    mutationFn: (provider: string) => call('POST /api/login/provider', { body: { provider } }),
    onSuccess: ({ url }) => {
      keepNext(next, sessionStorage)
      location.assign(url)
    },
  })
  const { signIn } = readSite()
  if (signIn.length === 0) return null
  return (
    <section aria-label={texts.label} className="space-y-2">
      {signIn.map(({ id, name }) => (
        <Button
          key={id}
          look="plain"
          className="w-full"
          busy={(start.isPending || start.isSuccess) && start.variables === id}
          onClick={() => start.mutate(id)}
        >
          {texts.continueWith(name)}
        </Button>
      ))}
      {start.isError && <Failure error={start.error} />}
    </section>
  )
}
