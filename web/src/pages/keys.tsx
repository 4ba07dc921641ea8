import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { CopyBox } from '../components/copy-box.tsx'
import { Confirm } from '../components/dialog.tsx'
import { formatTime } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { Loading } from '../components/loading.tsx'
import { Empty, Failure, Note, Page } from '../components/surfaces.tsx'
import { AllowedOrigins } from '../keys/allowed-origins.tsx'
import { ChangeKey, type Key } from '../keys/change-key.tsx'
import { CreateKey } from '../keys/create-key.tsx'
import { KeyRow } from '../keys/key-row.tsx'
import { type Rotated, RotateKey } from '../keys/rotate-key.tsx'
import { keys as texts } from '../messages/pages/keys.ts'

export function KeysPage() {
  return (
    <Guarded title="API keys" least="owner" shape="form">
      {(me) => <Keys me={me} />}
    </Guarded>
  )
}

function Keys({ me }: { me: Me }) {
  const queries = useQueryClient()
  const refresh = () => queries.invalidateQueries({ queryKey: ['keys'] })
  const [fresh, setFresh] = useState<{ keyValue: string; replaced?: Rotated['replaced'] } | null>(null)
  const [rotating, setRotating] = useState<Key | null>(null)
  const [ending, setEnding] = useState<Key | null>(null)
  const [changing, setChanging] = useState<Key | null>(null)
  const keys = useQuery({
    queryKey: ['keys', me.userId],
    queryFn: () => call('GET /api/v1/user-api-keys', { query: { userId: me.userId } }),
  })
  const revoke = useMutation({
    mutationFn: (id: string) => call('DELETE /api/v1/user-api-keys/{id}', { params: { id } }),
    onSuccess: () => {
      setEnding(null)
      return refresh()
    },
  })
  return (
    <Page title="API keys" lead={texts.keyAuthenticatesScansFrom}>
      <div className="space-y-6">
        <CreateKey
          me={me}
          onCreated={(keyValue) => {
            setFresh({ keyValue })
            refresh()
          }}
        />
        {fresh && (
          <Note tone="good">
            <p className="mb-2 font-medium">{texts.saveKeyNowStore}</p>
            <CopyBox value={fresh.keyValue} label="new key" />
            {fresh.replaced && (
              <p className="mt-2 text-soft">
                It replaces {fresh.replaced.name} (<code className="font-mono">{fresh.replaced.beginning}</code>
                {texts.whichWorksUntil}
                {formatTime(fresh.replaced.endsAt)}.
              </p>
            )}
          </Note>
        )}
        <Advice />
        {keys.isPending && <Loading what={texts.loadingYourKeys} shape="rows" />}
        {keys.isError && <Failure error={keys.error} retry={() => keys.refetch()} />}
        {keys.data?.data.total === 0 && <Empty title={texts.noKeysYet}>{texts.createOneAbove}</Empty>}
        {keys.data && keys.data.data.total > 0 && (
          <ul aria-label={texts.yourApiKeys} className="divide-y divide-line rounded-lg border border-line bg-panel">
            {keys.data.data.apiKeys.map((key) => (
              <KeyRow
                key={key.id}
                apiKey={key}
                onChange={() => setChanging(key)}
                onRotate={() => setRotating(key)}
                onRevoke={() => setEnding(key)}
              />
            ))}
          </ul>
        )}
        <AllowedOrigins isOwner={me.organization === null || me.organization.role === 'owner'} />
      </div>
      <RotateKey
        apiKey={rotating}
        onClose={() => setRotating(null)}
        onRotated={(rotated) => {
          setRotating(null)
          setFresh(rotated)
          refresh()
        }}
      />
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
        action="Revoke key"
        busy={revoke.isPending}
        onConfirm={() => ending && revoke.mutate(ending.id)}
        onClose={() => setEnding(null)}
      >
        {texts.requestsKeyWillRejected}
        {revoke.isError && <Failure error={revoke.error} />}
      </Confirm>
    </Page>
  )
}

function Advice() {
  return (
    <Note>
      <p className="font-medium">{texts.keepingKeysSafe}</p>
      <ul className="mt-1 list-disc space-y-1 pl-5 text-soft">
        <li>{texts.keepThemOutSource}</li>
        <li>{texts.useOneKeyPer}</li>
        <li>{texts.rotateKeyBeforeExpires}</li>
        <li>{texts.watchLastUsedResponses}</li>
      </ul>
    </Note>
  )
}
