import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { call, type RequestBodyOf } from '../api/client.ts'
import { Button, Field, Select } from '../components/controls.tsx'
import { Form } from '../components/form.tsx'
import type { Me } from '../components/guarded.tsx'
import { Card, Failure } from '../components/surfaces.tsx'
import { createKey as texts } from '../messages/keys.ts'
import { ChoiceFields } from './choice-fields.tsx'
import { readChoices } from './read-choices.ts'

type NewKey = RequestBodyOf<'POST /api/generate-api-key'>

export function CreateKey({ me, onCreated }: { me: Me; onCreated: (keyValue: string) => void }) {
  const create = useMutation({
    mutationFn: (body: NewKey) => call('POST /api/generate-api-key', { body }),
    onSuccess: ({ apiKey }) => onCreated(apiKey.keyValue),
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const days = String(fields.get('expiresInDays') ?? '')
    const body: NewKey = {
      userId: me.userId,
      type: fields.get('type') === 'TEST' ? 'TEST' : 'PRODUCTION',
      name: String(fields.get('name')),
      ...(days !== '' && { expiresInDays: Number(days) }),
      ...readChoices(fields),
    }
    create.mutate(body, { onSuccess: () => form.reset() })
  }
  return (
    <Card title="Create key">
      <Form error={create.error} onSubmit={submit} className="space-y-4">
        <div className="grid items-start gap-4 sm:grid-cols-[1fr_14rem_auto]">
          <Field
            label="Name"
            name="name"
            required
            maxLength={100}
            placeholder="ci pipeline"
            hint={texts.eGGithubActions}
          />
          <Select label="Type" name="type" hint={texts.testKeysExpireAfter}>
            <option value="PRODUCTION">Production</option>
            <option value="TEST">Test</option>
          </Select>
          <Button type="submit" look="primary" busy={create.isPending} className="sm:mt-6">
            Create
          </Button>
        </div>
        <details>
          <summary className="cursor-pointer text-sm font-medium">{texts.permissionsLimits}</summary>
          <div className="mt-3 space-y-4">
            <ChoiceFields />
            <Field
              label={texts.expiresAfterDays}
              name="expiresInDays"
              type="number"
              min={1}
              className="sm:max-w-[calc(50%-0.5rem)]"
              hint={texts.upThreeYearsProduction}
            />
          </div>
        </details>
        {create.isError && <Failure error={create.error} />}
      </Form>
    </Card>
  )
}
