import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { call, type SecondFactorDue } from '../api/client.ts'
import { readSite } from '../api/site.ts'
import { buttonClass } from '../components/controls.tsx'
import { Entrance } from '../components/entrance.tsx'
import { Failure } from '../components/surfaces.tsx'
import { page as texts } from '../messages/sign-in.ts'
import { ProveForm } from '../second-factor/prove-form.tsx'
import { takeNext } from '../sign-in/next-page.ts'

/** Where a provider sends the browser back to. */
export function SignInPage() {
  const { provider } = useParams({ from: '/sign-in/$provider' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [due, setDue] = useState<SecondFactorDue | null>(null)
  const enter = async () => {
    await queries.resetQueries()
    await navigate({ href: takeNext(sessionStorage), replace: true })
  }
  const complete = useMutation({
    mutationFn: async () => {
      // As the provider wrote them: the router would make numbers of some.
      const parameters = Object.fromEntries(new URLSearchParams(location.search))
      const answer: object = await call('POST /api/login/provider/complete', { body: { provider, parameters } })
      return 'challenge' in answer ? (answer as SecondFactorDue) : null
    },
    onSuccess: (more) => (more ? setDue(more) : enter()),
  })
  const isBegun = useRef(false)
  useEffect(() => {
    // What came back works once.
    if (!isBegun.current) complete.mutate()
    isBegun.current = true
  })
  if (due)
    return (
      <Entrance title={texts.twoFactor} lead={texts.enterCode}>
        <ProveForm due={due} onDone={enter} onBack={() => navigate({ to: '/login' })} />
      </Entrance>
    )
  if (complete.isError)
    return (
      <Entrance title={texts.failed}>
        <div className="space-y-4">
          <Failure error={complete.error} />
          <Link to="/login" className={`${buttonClass('primary')} w-full`}>
            {texts.back}
          </Link>
        </div>
      </Entrance>
    )
  const name = readSite().signIn.find(({ id }) => id === provider)?.name ?? provider
  return (
    <Entrance title={texts.title}>
      <p role="status">{texts.wait(name)}</p>
    </Entrance>
  )
}
