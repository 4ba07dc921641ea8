import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call } from '../api/client.ts'
import { Field } from '../components/controls.tsx'
import { EntranceForm, linkClass } from '../components/entrance.tsx'
import { Note } from '../components/surfaces.tsx'
import { forgotPassword as texts } from '../messages/pages/forgot-password.ts'

export function ForgotPasswordPage() {
  const requestReset = useMutation({
    mutationFn: (email: string) => call('POST /api/forgot-password', { body: { email } }),
  })
  return (
    <EntranceForm
      title={texts.resetYourPassword}
      lead={texts.weLlEmailYou}
      action={texts.sendResetLink}
      busy={requestReset.isPending}
      error={requestReset.error}
      onSubmit={({ email = '' }) => requestReset.mutate(email)}
      below={
        <Link to="/login" className={linkClass}>
          {texts.backLog}
        </Link>
      }
    >
      <Field label="Email" name="email" type="email" autoComplete="username" required />
      {requestReset.data && <Note tone="good">{requestReset.data.message}</Note>}
    </EntranceForm>
  )
}
