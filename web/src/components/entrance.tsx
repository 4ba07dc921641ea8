import { type FormEvent, type ReactNode, useEffect } from 'react'
import { Button } from './controls.tsx'
import { Form } from './form.tsx'
import { Failure } from './surfaces.tsx'

/** The narrow form that all the pages before logging in share. */
export function EntranceForm({
  title,
  lead,
  action,
  busy,
  error,
  onSubmit,
  children,
  below,
}: {
  title: string
  lead?: ReactNode
  action: string
  busy: boolean
  error: unknown
  onSubmit: (fields: Record<string, string>) => void
  children: ReactNode
  below?: ReactNode
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    onSubmit(Object.fromEntries([...fields].map(([name, value]) => [name, String(value)])))
  }
  return (
    <Entrance title={title} lead={lead} below={below}>
      <Form error={error} onSubmit={submit} className="space-y-4">
        {children}
        {error ? <Failure error={error} /> : null}
        <Button type="submit" look="primary" busy={busy} className="w-full">
          {action}
        </Button>
      </Form>
    </Entrance>
  )
}

/** A narrow page with one panel. */
export function Entrance({
  title,
  lead,
  below,
  children,
}: {
  title: string
  lead?: ReactNode
  below?: ReactNode
  children: ReactNode
}) {
  useEffect(() => {
    document.title = `${title} · Assay`
  }, [title])
  return (
    <div className="mx-auto w-full max-w-md px-4 py-12">
      <h1 tabIndex={-1} className="text-2xl font-semibold outline-none">
        {title}
      </h1>
      {lead && <div className="mt-2 text-soft">{lead}</div>}
      <div className="mt-6 rounded-lg border border-line bg-panel p-5">{children}</div>
      {below && <div className="mt-4 space-y-2 text-center text-sm text-soft">{below}</div>}
    </div>
  )
}

export const linkClass = 'text-accent underline'
