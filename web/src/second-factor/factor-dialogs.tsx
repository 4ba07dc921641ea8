import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../api/client.ts'
import { Button, type ButtonLook, Field } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Failure, Note } from '../components/surfaces.tsx'
import { factorDialogs as texts } from '../messages/second-factor.ts'
import { makePasskey } from './passkey.ts'
import { QrImage } from './qr-image.tsx'

interface AddProps {
  open: boolean
  onClose: () => void
  /** With the recovery codes that the first factor brings. */
  onDone: (codes: readonly string[] | null) => void
}

/** Before the way to log in is changed, the password is requested once more. */
export function PasswordDialog({
  title,
  action,
  look = 'primary',
  open,
  busy,
  error,
  naming,
  onClose,
  onPassword,
  offersSessions = false,
  children,
}: {
  title: string
  action: string
  look?: ButtonLook
  open: boolean
  busy: boolean
  error: unknown
  /** What to propose as its name; without it there is none to give. */
  naming?: string
  onClose: () => void
  onPassword: (password: string, name: string, endOtherSessions: boolean) => void
  /** Asks whether the sessions from before go on. */
  offersSessions?: boolean
  children: ReactNode
}) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          onPassword(String(fields.get('password')), String(fields.get('name') ?? ''), fields.has('endOtherSessions'))
        }}
      >
        <p className="text-sm text-soft">{children}</p>
        {naming && <Field label="Name" name="name" defaultValue={naming} maxLength={100} required />}
        <Field label="Password" name="password" type="password" autoComplete="current-password" required autoFocus />
        {offersSessions && <EndOtherSessions />}
        {error ? <Failure error={error} /> : null}
        <Actions action={action} look={look} busy={busy} onClose={onClose} />
      </form>
    </Dialog>
  )
}

/** Any user who was logged in before this factor was added did not have to give it. */
const EndOtherSessions = () => (
  <label className="flex items-center gap-3 text-sm">
    <input type="checkbox" name="endOtherSessions" defaultChecked className="size-4 accent-(--accent)" />
    <span>{texts.logOutEverywhereElse}</span>
  </label>
)

function Actions({
  action,
  look = 'primary',
  busy,
  onClose,
}: {
  action: string
  look?: ButtonLook
  busy: boolean
  onClose: () => void
}) {
  return (
    <div className="flex justify-end gap-2">
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" look={look} busy={busy}>
        {action}
      </Button>
    </div>
  )
}

export function AddApp({ open, onClose, onDone }: AddProps) {
  const enrol = useMutation({
    mutationFn: (body: { name: string; password: string }) => call('POST /api/v1/second-factors/totp', { body }),
  })
  const confirm = useMutation({
    mutationFn: ({ id, ...body }: { id: string; code: string; endOtherSessions: boolean }) =>
      call('POST /api/v1/second-factors/{id}/confirm', { params: { id }, body }),
    onSuccess: ({ data }) => {
      enrol.reset()
      onDone(data.recoveryCodes)
    },
  })
  const close = () => {
    enrol.reset()
    confirm.reset()
    onClose()
  }
  const enrolled = enrol.data?.data
  if (!enrolled)
    return (
      <PasswordDialog
        title={texts.addAuthenticatorApp}
        action="Continue"
        open={open}
        busy={enrol.isPending}
        error={enrol.error}
        naming="Authenticator app"
        onClose={close}
        onPassword={(password, name) => enrol.mutate({ name, password })}
      >
        {texts.yourAuthenticatorAppShows}
      </PasswordDialog>
    )
  return (
    <Dialog title={texts.addAuthenticatorApp} open={open} onClose={close}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          const fields = new FormData(event.currentTarget)
          const code = String(fields.get('code')).trim()
          confirm.mutate({ id: enrolled.id, code, endOtherSessions: fields.has('endOtherSessions') })
        }}
      >
        <p className="text-sm text-soft">{texts.scanAppEnterSecret}</p>
        <QrImage text={enrolled.uri} label={texts.secretAsQrCode} />
        <CopyBox value={enrolled.secret} label="secret" />
        <Field
          label="Current code"
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          pattern="\s*[0-9]{6}\s*"
          title="6 digits"
          required
          autoFocus
        />
        <EndOtherSessions />
        {confirm.isError && <Failure error={confirm.error} />}
        <Actions action="Confirm" busy={confirm.isPending} onClose={close} />
      </form>
    </Dialog>
  )
}

export function AddPasskey({ open, onClose, onDone }: AddProps) {
  const add = useMutation({
    mutationFn: async ({ password, ...wish }: { name: string; password: string; endOtherSessions: boolean }) => {
      const { data } = await call('POST /api/v1/second-factors/passkey-options', { body: { password } })
      const passkey = await makePasskey(data.options)
      return call('POST /api/v1/second-factors/passkey', { body: { challenge: data.challenge, passkey, ...wish } })
    },
    onSuccess: ({ data }) => onDone(data.recoveryCodes),
  })
  return (
    <PasswordDialog
      title={texts.addPasskey}
      action="Continue"
      open={open}
      busy={add.isPending}
      error={add.error}
      naming="Passkey"
      onClose={() => {
        add.reset()
        onClose()
      }}
      onPassword={(password, name, endOtherSessions) => add.mutate({ name, password, endOtherSessions })}
      offersSessions
    >
      {texts.logYourDeviceInstead}
    </PasswordDialog>
  )
}

/** Shown this once, after the first factor or on request. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[] | null; onClose: () => void }) {
  return (
    <Dialog title={texts.yourRecoveryCodes} open={codes !== null} onClose={onClose}>
      <div className="space-y-4">
        <Note tone="warn">{texts.storeThemSomewhereSafe}</Note>
        <CopyBox value={(codes ?? []).join('\n')} label="recovery codes" />
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            {texts.iSavedMyRecovery}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
