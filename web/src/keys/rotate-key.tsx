import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/client.ts'
import { Select } from '../components/controls.tsx'
import { Confirm } from '../components/dialog.tsx'
import { Failure } from '../components/surfaces.tsx'
import { rotateKey as texts } from '../messages/keys.ts'
import type { Key } from './change-key.tsx'

/** The new key, and which one it takes the place of until when. */
export interface Rotated {
  readonly keyValue: string
  readonly replaced: { readonly name: string; readonly beginning: string; readonly endsAt: string }
}

/** As much of a key as tells it from the others. */
const beginningOf = ({ keyValue }: Pick<Key, 'keyValue'>): string => `${keyValue.slice(0, 14)}…`

/** Asks before a key is replaced, and says which one; open while there is one. */
export function RotateKey({
  apiKey,
  onRotated,
  onClose,
}: {
  apiKey: Key | null
  onRotated: (rotated: Rotated) => void
  onClose: () => void
}) {
  const [overlap, setOverlap] = useState('86400')
  const rotate = useMutation({
    mutationFn: (key: Key) =>
      call('POST /api/v1/user-api-keys/{id}/rotate', {
        params: { id: key.id },
        body: { overlapSeconds: Number(overlap) },
      }),
    onSuccess: ({ apiKey: { keyValue }, previous }, key) =>
      onRotated({
        keyValue,
        replaced: { name: key.name, beginning: beginningOf(key), endsAt: previous.expiresAt },
      }),
  })
  return (
    <Confirm
      title={`Rotate ${apiKey?.name ?? 'the key'}?`}
      open={apiKey !== null}
      action="Rotate key"
      look="primary"
      busy={rotate.isPending}
      onConfirm={() => apiKey && rotate.mutate(apiKey)}
      onClose={onClose}
    >
      {apiKey && (
        <div className="space-y-3">
          <p>
            {texts.newKeySameName} <code className="font-mono text-ink">{beginningOf(apiKey)}</code>
            {texts.worksImmediately}
          </p>
          <Select label={texts.oldKeyExpires} value={overlap} onChange={(event) => setOverlap(event.target.value)}>
            <option value="86400">1 day</option>
            <option value="3600">1 hour</option>
            <option value="604800">1 week</option>
            <option value="0">Revoke immediately</option>
          </Select>
        </div>
      )}
      {rotate.isError && <Failure error={rotate.error} />}
    </Confirm>
  )
}
