import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { call, Refusal } from '../api/client.ts'
import { Button, Field } from '../components/controls.tsx'
import { EntranceForm, linkClass } from '../components/entrance.tsx'
import { Failure } from '../components/surfaces.tsx'
import { pageAfterEntering } from '../join/invitation-token.ts'
import { verify as texts } from '../messages/pages/verify.ts'
import { logIn } from '../second-factor/log-in.ts'
import { takePassword } from '../second-factor/new-account.ts'

export function VerifyPage() {
  const { email: known = '' } = useSearch({ from: '/verify' })
  const navigate = useNavigate()
  const queries = useQueryClient()
  const verify = useMutation({
    mutationFn: (body: { email: string; otp: string }) => call('POST /api/verify-email', { body }),
    onSuccess: async (_, { email }) => {
      const password = takePassword(email)
      const isIn =
        password !== undefined &&
        (await logIn({ email, password }).then(
          (due) => due === null,
          () => false,
        ))
      const next = pageAfterEntering(sessionStorage)
      if (!isIn) return navigate({ to: '/login', search: { email, next } })
      await queries.resetQueries()
      return navigate({ to: next })
    },
  })
  const resend = useMutation({
    mutationFn: (email: string) => call('POST /api/resend-otp', { body: { email } }),
    // What was said about the old code is not about the new one.
    onSuccess: () => verify.reset(),
  })
  const isWrongCode = verify.error instanceof Refusal && verify.error.status === 400
  return (
    <EntranceForm
      title={texts.verifyYourEmail}
      lead={
        known ? (
          <>
            {texts.weSentDigitCode}
            <strong>{known}</strong>
            {texts.expiresMinutes}
          </>
        ) : (
          texts.weSentDigitCodeYour
        )
      }
      action="Verify"
      busy={verify.isPending}
      error={isWrongCode ? null : verify.error}
      onSubmit={({ email = known, otp = '' }) => verify.mutate({ email, otp: otp.trim() })}
      below={
        <>
          {known && (
            <Button busy={resend.isPending} onClick={() => resend.mutate(known)}>
              {texts.sendNewCode}
            </Button>
          )}
          <p aria-live="polite">{resend.data?.message}</p>
          {resend.isError && <Failure error={resend.error} />}
          <p>
            Already verified?{' '}
            <Link to="/login" className={linkClass}>
              Log in
            </Link>
          </p>
        </>
      }
    >
      {!known && <Field label="Email" name="email" type="email" autoComplete="email" required />}
      <Field
        label="Code"
        name="otp"
        autoFocus
        inputMode="numeric"
        autoComplete="one-time-code"
        pattern="\s*[0-9]{6}\s*"
        maxLength={8}
        required
        hint={texts.digitsAlsoEmailSubject}
        error={isWrongCode ? verify.error?.message : undefined}
      />
    </EntranceForm>
  )
}
