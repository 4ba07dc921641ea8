import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { SecondFactorDue } from '../api/client.ts'
import { Refusal } from '../api/client.ts'
import { Button, Field } from '../components/controls.tsx'
import { Entrance, EntranceForm, linkClass } from '../components/entrance.tsx'
import { pageAfterEntering } from '../join/invitation-token.ts'
import { login as texts } from '../messages/pages/login.ts'
import { logIn, logInWithPasskey } from '../second-factor/log-in.ts'
import { canUsePasskeys } from '../second-factor/passkey.ts'
import { ProveForm } from '../second-factor/prove-form.tsx'
import { isOwnPath } from '../sign-in/own-path.ts'
import { ProviderButtons } from '../sign-in/provider-buttons.tsx'
import { VisitorsOnly } from '../sign-in/visitors-only.tsx'

export function LoginPage() {
  const { next, email: verified } = useSearch({ from: '/login' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [due, setDue] = useState<SecondFactorDue | null>(null)
  const onward = isOwnPath(next) ? next : pageAfterEntering(sessionStorage)
  const enter = async () => {
    await queries.resetQueries()
    await navigate({ href: onward })
  }
  const login = useMutation({
    mutationFn: logIn,
    onSuccess: (more) => (more ? setDue(more) : enter()),
    onError: (error, { email }) => {
      if (error instanceof Refusal && error.message === texts.notVerifiedAnswer)
        navigate({ to: '/verify', search: { email } })
    },
  })
  const passkey = useMutation({ mutationFn: logInWithPasskey, onSuccess: enter })
  if (due)
    return (
      <Entrance title="Two-factor authentication" lead={texts.enterYourTwoFactor}>
        <ProveForm due={due} onDone={enter} onBack={() => setDue(null)} />
      </Entrance>
    )
  return (
    <VisitorsOnly next={onward}>
      <EntranceForm
        title="Log in"
        lead={verified && texts.emailVerifiedLogContinue}
        action="Log in"
        busy={login.isPending}
        error={login.error ?? passkey.error}
        onSubmit={({ email = '', password = '' }) => login.mutate({ email, password })}
        below={
          <>
            <ProviderButtons next={onward} />
            {canUsePasskeys() && (
              <Button look="plain" className="w-full" busy={passkey.isPending} onClick={() => passkey.mutate()}>
                {texts.logPasskey}
              </Button>
            )}
            <p>
              <Link to="/forgot-password" className={linkClass}>
                {texts.forgotYourPassword}
              </Link>
            </p>
            <p>
              New here?{' '}
              <Link to="/register" className={linkClass}>
                Sign up
              </Link>
            </p>
          </>
        }
      >
        <Field label="Email" name="email" type="email" autoComplete="username" defaultValue={verified} required />
        <Field label="Password" name="password" type="password" autoComplete="current-password" required />
      </EntranceForm>
    </VisitorsOnly>
  )
}
