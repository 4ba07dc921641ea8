import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, type ReactNode, useState } from 'react'
import { call } from '../api/client.ts'
import { Button, Field } from '../components/controls.tsx'
import { linkClass } from '../components/entrance.tsx'
import { Form } from '../components/form.tsx'
import type { Me } from '../components/guarded.tsx'
import { Card, Failure, Note } from '../components/surfaces.tsx'
import { profile as texts } from '../messages/account.ts'

/** Name, address and password: each changes by itself. */
export function Profile({ me }: { me: Me }) {
  return (
    <Card title="Profile">
      <div className="grid gap-8 lg:grid-cols-3">
        <NameForm me={me} />
        <AddressForm me={me} />
        <PasswordForm />
      </div>
    </Card>
  )
}

/** The fields of a small form by name, and whether it went through. */
function SmallForm({
  title,
  action,
  busy,
  error,
  done,
  onSubmit,
  children,
}: {
  title: string
  action: string
  busy: boolean
  error: unknown
  /** Words when it went through. */
  done?: ReactNode
  onSubmit: (fields: Record<string, string>, form: HTMLFormElement) => void
  children: ReactNode
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    onSubmit(Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)])), form)
  }
  return (
    <Form error={error} aria-label={title} onSubmit={submit} className="space-y-3">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
      {error ? <Failure error={error} /> : null}
      <div aria-live="polite">{done && <Note tone="good">{done}</Note>}</div>
      <Button type="submit" busy={busy}>
        {action}
      </Button>
    </Form>
  )
}

function NameForm({ me }: { me: Me }) {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (name: string) => call('PATCH /api/me', { body: { name } }),
    onSuccess: (account) => queries.setQueryData(['me'], account),
  })
  return (
    <SmallForm
      title="Name"
      action="Save name"
      busy={change.isPending}
      error={change.error}
      done={change.isSuccess && 'Saved.'}
      onSubmit={({ name = '' }) => change.mutate(name)}
    >
      <Field label="Your name" name="name" defaultValue={me.name} autoComplete="name" required />
    </SmallForm>
  )
}

/** In two steps: the code goes to the new address, so that nobody locks themselves out by a slip. */
function AddressForm({ me }: { me: Me }) {
  const queries = useQueryClient()
  const [requestedEmail, setRequestedEmail] = useState('')
  const requestCode = useMutation({
    mutationFn: (body: { email: string; password: string }) => call('POST /api/v1/account/email', { body }),
    onSuccess: (_answer, { email }) => setRequestedEmail(email),
  })
  const confirm = useMutation({
    mutationFn: (code: string) => call('POST /api/v1/account/email/confirm', { body: { code } }),
    onSuccess: (account) => {
      setRequestedEmail('')
      queries.setQueryData(['me'], account)
    },
  })
  if (requestedEmail)
    return (
      <SmallForm
        key="confirm"
        title="Email address"
        action="Confirm email"
        busy={confirm.isPending}
        error={confirm.error}
        onSubmit={({ code = '' }) => confirm.mutate(code)}
      >
        <p className="text-sm">
          {texts.codeWasSent}
          <strong className="break-all">{requestedEmail}</strong>.
        </p>
        <Field label={texts.codeFromEmail} name="code" inputMode="numeric" autoComplete="one-time-code" required />
        <Button look="quiet" onClick={() => setRequestedEmail('')}>
          {texts.noEmailTryAgain}
        </Button>
      </SmallForm>
    )
  return (
    <SmallForm
      key="ask"
      title="Email address"
      action="Send code"
      busy={requestCode.isPending}
      error={requestCode.error}
      done={confirm.isSuccess && texts.emailChanged(me.email)}
      onSubmit={({ email = '', address = '' }) => requestCode.mutate({ email, password: address })}
    >
      <Field
        label={texts.newEmailAddress}
        name="email"
        type="email"
        autoComplete="email"
        required
        hint={`Now: ${me.email}`}
      />
      <Field
        label={texts.confirmYourPassword}
        name="address"
        type="password"
        autoComplete="current-password"
        required
      />
    </SmallForm>
  )
}

function PasswordForm() {
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (body: { password: string; newPassword: string }) => call('POST /api/v1/account/password', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  return (
    <SmallForm
      title="Password"
      action="Change password"
      busy={change.isPending}
      error={change.error}
      done={change.data?.message}
      onSubmit={({ password = '', newPassword = '' }, form) =>
        change.mutate({ password, newPassword }, { onSuccess: () => form.reset() })
      }
    >
      <Field
        label="Current password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        hint={
          <Link to="/forgot-password" className={`${linkClass} inline-block min-h-6`}>
            {texts.noPassword}
          </Link>
        }
      />
      <Field
        label="New password"
        name="newPassword"
        type="password"
        autoComplete="new-password"
        minLength={8}
        required
        hint={texts.leastCharacters}
      />
    </SmallForm>
  )
}
