import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import type { SecondFactorDue } from '../api/client.ts'
import { onSessionEnd } from '../api/client.ts'
import { logInAgain as texts } from '../messages/components.ts'
import { logIn } from '../second-factor/log-in.ts'
import { Button, Field } from './controls.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './surfaces.tsx'

/** Few accounts need it here. */
const ProveForm = lazy(async () => ({ default: (await import('../second-factor/prove-form.tsx')).ProveForm }))

/**
 * A session that ended while a page was open: logs in over the page, so that what was typed stays, and lets the request
 * that noticed it go on.
 */
export function LogInAgain({ me }: { me: { email: string } | null }) {
  const [isOpen, setOpen] = useState(false)
  const [due, setDue] = useState<SecondFactorDue | null>(null)
  const waiting = useRef<((loggedIn: boolean) => void)[]>([])
  const settle = (loggedIn: boolean) => {
    setOpen(false)
    setDue(null)
    for (const go of waiting.current.splice(0)) go(loggedIn)
  }
  useEffect(() => {
    if (me === null) return
    onSessionEnd(() => {
      setOpen(true)
      return new Promise((resolve) => waiting.current.push(resolve))
    })
    return () => onSessionEnd(null)
  }, [me])
  const login = useMutation({
    mutationFn: (password: string) => logIn({ email: me?.email ?? '', password }),
    onSuccess: (more) => (more ? setDue(more) : settle(true)),
  })
  if (due)
    return (
      <Dialog title="Two-factor authentication" open={isOpen} onClose={() => settle(false)}>
        <Suspense>
          <ProveForm due={due} onDone={() => settle(true)} onBack={() => setDue(null)} />
        </Suspense>
      </Dialog>
    )
  return (
    <Dialog title="Session expired" open={isOpen} onClose={() => settle(false)}>
      <form
        className="space-y-4"
        onSubmit={(event) => {
          event.preventDefault()
          login.mutate(String(new FormData(event.currentTarget).get('password')))
        }}
      >
        <p className="text-sm text-soft">
          {texts.logAgainAs}
          {me?.email}
          {texts.continuePageKeptLast}
        </p>
        <Field label="Password" name="password" type="password" autoComplete="current-password" required autoFocus />
        {login.isError && <Failure error={login.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={() => settle(false)}>Cancel</Button>
          <Button type="submit" look="primary" busy={login.isPending}>
            Log in
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
