import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { Button } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { Confirm } from '../components/dialog.tsx'
import { formatTime } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { Cell, Empty, Failure, Loading, Note, Page, Table } from '../components/surfaces.tsx'
import { ChangeKey, type Key } from '../keys/change-key.tsx'
import { CreateKey } from '../keys/create-key.tsx'
import { choicesInWords } from '../keys/read-choices.ts'

export function KeysPage() {
  return <Guarded title="API keys">{(me) => <Keys me={me} />}</Guarded>
}

function Keys({ me }: { me: Me }) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['keys'] })
  const [fresh, setFresh] = useState<string | null>(null)
  const [ending, setEnding] = useState<Key | null>(null)
  const [changing, setChanging] = useState<Key | null>(null)
  const keys = useQuery({
    queryKey: ['keys', me.userId],
    queryFn: () => call('GET /api/v1/user-api-keys', { query: { userId: me.userId } }),
  })
  const rotate = useMutation({
    mutationFn: (id: string) =>
      call('POST /api/v1/user-api-keys/{id}/rotate', { params: { id }, body: { overlapSeconds: 86_400 } }),
    onSuccess: ({ apiKey }) => {
      setFresh(apiKey.keyValue)
      return refresh()
    },
  })
  const revoke = useMutation({
    mutationFn: (id: string) => call('DELETE /api/v1/user-api-keys/{id}', { params: { id } }),
    onSuccess: () => {
      setEnding(null)
      return refresh()
    },
  })
  return (
    <Page title="API keys" lead="A key authenticates scans from your scripts and pipelines.">
      <div className="space-y-6">
        <CreateKey
          me={me}
          onCreated={(value) => {
            setFresh(value)
            refresh()
          }}
        />
        {fresh && (
          <Note tone="good">
            <p className="mb-2 font-medium">Your new key. Put it where only your program can read it.</p>
            <CopyBox value={fresh} label="new key" />
          </Note>
        )}
        <Advice />
        {keys.isPending && <Loading what="Loading your keys" />}
        {keys.isError && <Failure error={keys.error} retry={() => keys.refetch()} />}
        {rotate.isError && <Failure error={rotate.error} />}
        {keys.data?.data.total === 0 && <Empty title="No keys yet.">Create one above.</Empty>}
        {keys.data && keys.data.data.total > 0 && (
          <Table caption="Your API keys" head={['Name', 'Key', 'Type', 'May', 'Status', 'Last used', 'Expires', '']}>
            {keys.data.data.apiKeys.map((key) => (
              <tr key={key.id}>
                <Cell className="font-medium">{key.name}</Cell>
                <Cell className="min-w-72">
                  <CopyBox value={key.keyValue} label={`key ${key.name}`} masked />
                </Cell>
                <Cell>{key.type}</Cell>
                <Cell className="text-soft">{choicesInWords(key)}</Cell>
                <Cell className={key.status === 'ACTIVE' ? 'text-good' : 'text-soft'}>{key.status}</Cell>
                <Cell className="whitespace-nowrap text-soft">{formatTime(key.lastUsedAt)}</Cell>
                <Cell className="whitespace-nowrap text-soft">{formatTime(key.expiresAt)}</Cell>
                <Cell>
                  {key.status === 'ACTIVE' && (
                    <span className="flex justify-end gap-2">
                      <Button aria-label={`Change ${key.name}`} onClick={() => setChanging(key)}>
                        Change
                      </Button>
                      <Button
                        aria-label={`Rotate ${key.name}`}
                        busy={rotate.isPending && rotate.variables === key.id}
                        onClick={() => rotate.mutate(key.id)}
                      >
                        Rotate
                      </Button>
                      <Button look="danger" aria-label={`Revoke ${key.name}`} onClick={() => setEnding(key)}>
                        Revoke
                      </Button>
                    </span>
                  )}
                </Cell>
              </tr>
            ))}
          </Table>
        )}
      </div>
      <ChangeKey
        apiKey={changing}
        onDone={() => {
          setChanging(null)
          refresh()
        }}
      />
      <Confirm
        title={`Revoke ${ending?.name ?? 'the key'}?`}
        open={ending !== null}
        action="Revoke it"
        busy={revoke.isPending}
        onConfirm={() => ending && revoke.mutate(ending.id)}
        onClose={() => setEnding(null)}
      >
        Requests with this key are refused from now on. This cannot be undone.
        {revoke.isError && <Failure error={revoke.error} />}
      </Confirm>
    </Page>
  )
}

function Advice() {
  return (
    <Note>
      <p className="font-medium">Keeping keys safe</p>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-soft">
        <li>Keep them out of source code: use your platform's secret store or an environment variable.</li>
        <li>Use one key per environment, so that one can be revoked without touching the others.</li>
        <li>Rotate before a key ends: the new one works at once, the old one for another day.</li>
        <li>Watch “last used” and answers of 429; retry those with growing waits and some jitter.</li>
      </ul>
    </Note>
  )
}
