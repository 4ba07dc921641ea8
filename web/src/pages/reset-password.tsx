import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { Field } from '../components/controls.tsx'
import { EntranceForm, linkClass } from '../components/entrance.tsx'
import { Note } from '../components/surfaces.tsx'
import { resetPassword as texts } from '../messages/pages/reset-password.ts'

export function ResetPasswordPage() {
  // After the #, so that the token never reaches a server log.
  const [hash] = useState(() => new URLSearchParams(location.hash.slice(1)))
  const linked = hash.get('token') ?? ''
  // One of the two links in the mail: someone else may have made the keys.
  const revokeApiKeys = hash.get('keys') === 'revoke'
  const reset = useMutation({
    mutationFn: (body: { token: string; newPassword: string; revokeApiKeys: boolean }) =>
      call('POST /api/reset-password', { body }),
    onSuccess: () => history.replaceState(null, '', location.pathname),
  })
  return (
    <EntranceForm
      title={texts.chooseNewPassword}
      lead={texts.everySessionAccountEnds(revokeApiKeys ? texts.apiKeysRevoked : '')}
      action="Set password"
      busy={reset.isPending}
      error={reset.error}
      onSubmit={({ token = linked, newPassword = '' }) =>
        reset.mutate({ token: token.trim(), newPassword, revokeApiKeys })
      }
      below={
        <Link to="/login" className={linkClass}>
          Log in
        </Link>
      }
    >
      {!linked && <Field label={texts.tokenFromEmail} name="token" autoComplete="off" required />}
      <Field
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        minLength={8}
        maxLength={128}
        required
      />
      {reset.data && <Note tone="good">{reset.data.message}</Note>}
    </EntranceForm>
  )
}
