import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { Field } from '../components/controls.tsx'
import { EntranceForm, linkClass } from '../components/entrance.tsx'
import { pageAfterEntering } from '../join/invitation-token.ts'
import { register as texts } from '../messages/pages/register.ts'
import { rememberPassword } from '../second-factor/new-account.ts'
import { ProviderButtons } from '../sign-in/provider-buttons.tsx'
import { VisitorsOnly } from '../sign-in/visitors-only.tsx'

export function RegisterPage() {
  const navigate = useNavigate()
  const register = useMutation({
    mutationFn: (body: { email: string; password: string; name: string }) => call('POST /api/register', { body }),
    onSuccess: (_, { email, password }) => {
      rememberPassword({ email, password })
      return navigate({ to: '/verify', search: { email } })
    },
  })
  return (
    <VisitorsOnly next={pageAfterEntering(sessionStorage)}>
      <EntranceForm
        title={texts.createYourAccount}
        lead={texts.freeFiveScansDay}
        action="Sign up"
        busy={register.isPending}
        error={register.error}
        onSubmit={({ email = '', password = '', name = '' }) => register.mutate({ email, password, name })}
        below={
          <>
            <ProviderButtons next={pageAfterEntering(sessionStorage)} />
            <p>
              {texts.haveAccount}{' '}
              <Link to="/login" className={linkClass}>
                Log in
              </Link>
            </p>
          </>
        }
      >
        <Field label="Name" name="name" autoComplete="name" autoFocus required maxLength={100} />
        <Field label="Email" name="email" type="email" autoComplete="email" required />
        <Field
          label="Password"
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={8}
          maxLength={128}
          required
          hint={texts.useLeastCharactersPassphrase}
        />
      </EntranceForm>
    </VisitorsOnly>
  )
}
