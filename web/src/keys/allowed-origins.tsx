import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { call } from '../api/client.ts'
import { Button, Field } from '../components/controls.tsx'
import { Loading } from '../components/loading.tsx'
import { Card, Failure } from '../components/surfaces.tsx'
import { allowedOrigins as texts } from '../messages/keys.ts'
import { readOrigins } from './read-origins.ts'

/** Which sites may call the interface from a browser, with a key of the account. */
export function AllowedOrigins({ isOwner }: { isOwner: boolean }) {
  const origins = useQuery({
    queryKey: ['allowed-origins'],
    queryFn: () => call('GET /api/v1/allowed-origins', {}),
    enabled: isOwner,
  })
  if (!isOwner) return null
  return (
    <Card title={texts.title}>
      {origins.isPending && <Loading what={texts.loading} />}
      {origins.isError && <Failure error={origins.error} retry={() => origins.refetch()} />}
      {origins.data && <Origins key={origins.data.data.origins.join()} origins={origins.data.data.origins} />}
    </Card>
  )
}

function Origins({ origins }: { origins: readonly string[] }) {
  const queries = useQueryClient()
  const [text, setText] = useState(origins.join(', '))
  const save = useMutation({
    mutationFn: (wanted: string[]) => call('PATCH /api/v1/allowed-origins', { body: { origins: wanted } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['allowed-origins'] }),
  })
  const wanted = readOrigins(text)
  const send = (event: FormEvent) => {
    event.preventDefault()
    save.mutate(wanted)
  }
  return (
    <form onSubmit={send} className="flex flex-wrap items-end gap-2">
      <Field
        label={texts.label}
        hint={texts.hint}
        error={save.error?.message}
        value={text}
        placeholder="https://remix.ethereum.org"
        className="min-w-60 flex-1"
        onChange={(event) => {
          setText(event.target.value)
          save.reset()
        }}
      />
      <Button type="submit" busy={save.isPending} disabled={wanted.join() === origins.join()} className="mb-5">
        {texts.save}
      </Button>
    </form>
  )
}
