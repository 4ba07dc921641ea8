import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { call, callForText } from '../api/client.ts'
import { Button, Field } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import type { Me } from '../components/guarded.tsx'
import { saveText } from '../components/save-text.ts'
import { Card, Failure } from '../components/surfaces.tsx'
import { yourData as texts } from '../messages/account.ts'
import { forgetDrafts } from '../scan-form/draft.ts'

/** Everything of the account, to take away or to delete. */
export function YourData({ me }: { me: Me }) {
  const [open, setOpen] = useState<'export' | 'delete' | null>(null)
  const close = () => setOpen(null)
  return (
    <Card title="Your data">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen('export')}>{texts.exportAllData}</Button>
        <Button look="danger" onClick={() => setOpen('delete')}>
          Delete account
        </Button>
      </div>
      <Dialog title={texts.exportAllData2} open={open === 'export'} onClose={close}>
        <ExportForm onClose={close} />
      </Dialog>
      <Dialog title="Delete account" open={open === 'delete'} onClose={close}>
        <DeleteForm me={me} onClose={close} />
      </Dialog>
    </Card>
  )
}

const fieldsOf = (event: FormEvent<HTMLFormElement>): Record<string, string> => {
  event.preventDefault()
  return Object.fromEntries([...new FormData(event.currentTarget)].map(([name, value]) => [name, String(value)]))
}

function ExportForm({ onClose }: { onClose: () => void }) {
  const take = useMutation({
    mutationFn: (password: string) => callForText('POST /api/v1/account/export', { body: { password } }),
    onSuccess: (text) => {
      saveText(text, 'assay-account.ndjson', 'application/x-ndjson')
      onClose()
    },
  })
  return (
    <form className="space-y-4" onSubmit={(event) => take.mutate(fieldsOf(event).password ?? '')}>
      <p className="text-sm text-soft">{texts.oneFileYourAccount}</p>
      <Field label="Your password" name="password" type="password" autoComplete="current-password" required />
      {take.isError && <Failure error={take.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Close</Button>
        <Button type="submit" look="primary" busy={take.isPending}>
          Export
        </Button>
      </div>
    </form>
  )
}

function DeleteForm({ me, onClose }: { me: Me; onClose: () => void }) {
  const [typed, setTyped] = useState('')
  const queries = useQueryClient()
  const navigate = useNavigate()
  const remove = useMutation({
    mutationFn: (body: { password: string; confirm: string }) => call('POST /api/v1/account/delete', { body }),
    onSuccess: async () => {
      forgetDrafts(sessionStorage)
      await navigate({ to: '/' })
      await queries.resetQueries()
    },
  })
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => remove.mutate({ password: fieldsOf(event).password ?? '', confirm: typed })}
    >
      <p className="text-sm">{texts.paidPlanEndsImmediately}</p>
      <Field
        label={texts.typeConfirm(me.email)}
        value={typed}
        autoComplete="off"
        onChange={(event) => setTyped(event.target.value)}
      />
      <Field label="Your password" name="password" type="password" autoComplete="current-password" required />
      {remove.isError && <Failure error={remove.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button
          type="submit"
          look="danger"
          busy={remove.isPending}
          disabled={typed.trim().toLowerCase() !== me.email.toLowerCase()}
        >
          Delete permanently
        </Button>
      </div>
    </form>
  )
}
