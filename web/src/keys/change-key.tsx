import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Button, Field } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Form } from '../components/form.tsx'
import { Failure } from '../components/surfaces.tsx'
import { ChoiceFields } from './choice-fields.tsx'
import { type KeyChanges, readChoices } from './read-choices.ts'

export type Key = ResponseOf<'GET /api/v1/user-api-keys'>['data']['apiKeys'][number]

/** Another name, other scopes and limits for a key that is there; open while there is one. */
export function ChangeKey({ apiKey, onDone }: { apiKey: Key | null; onDone: () => void }) {
  const change = useMutation({
    mutationFn: ({ id, body }: { id: string; body: KeyChanges }) =>
      call('PATCH /api/v1/user-api-keys/{id}', { params: { id }, body }),
    onSuccess: onDone,
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!apiKey) return
    const fields = new FormData(event.currentTarget)
    change.mutate({ id: apiKey.id, body: { name: String(fields.get('name')), ...readChoices(fields) } })
  }
  return (
    <Dialog title={`Change ${apiKey?.name ?? 'the key'}`} open={apiKey !== null} onClose={onDone}>
      {apiKey && (
        <Form error={change.error} onSubmit={submit} className="space-y-4">
          <Field label="Name" name="name" required maxLength={100} defaultValue={apiKey.name} />
          <ChoiceFields chosen={apiKey} />
          {change.isError && <Failure error={change.error} />}
          <div className="flex justify-end gap-2">
            <Button onClick={onDone}>Cancel</Button>
            <Button type="submit" look="primary" busy={change.isPending}>
              Save
            </Button>
          </div>
        </Form>
      )}
    </Dialog>
  )
}
