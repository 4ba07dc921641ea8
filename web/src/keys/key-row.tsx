import { Button } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import type { Key } from './change-key.tsx'
import { choicesInWords } from './read-choices.ts'

/** Two lines: what it is and what can be done about it, and the key itself with how it is used. Whatever does not fit goes to a line of its own. */
export function KeyRow({
  apiKey,
  onChange,
  onRotate,
  onRevoke,
}: {
  apiKey: Key
  onChange: () => void
  onRotate: () => void
  onRevoke: () => void
}) {
  const isActive = apiKey.status === 'ACTIVE'
  return (
    <li aria-label={`Key ${apiKey.name}`} className="space-y-2 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <span className="min-w-0 font-medium break-words">{apiKey.name}</span>
        <span className="rounded border border-line px-1.5 text-xs text-soft">
          {apiKey.type === 'TEST' ? 'test' : 'production'}
        </span>
        <span className={`text-xs font-medium ${isActive ? 'text-good' : 'text-soft'}`}>
          {apiKey.status.toLowerCase()}
        </span>
        {isActive && (
          <span className="ml-auto flex flex-wrap gap-2">
            <Button aria-label={`Change ${apiKey.name}`} onClick={onChange}>
              Change
            </Button>
            <Button aria-label={`Rotate ${apiKey.name}`} onClick={onRotate}>
              Rotate
            </Button>
            <Button look="danger" aria-label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
              Revoke
            </Button>
          </span>
        )}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-xs text-soft">
        <span className="w-full max-w-xl min-w-0 sm:w-auto sm:flex-1">
          <CopyBox value={apiKey.keyValue} label={`key ${apiKey.name}`} masked />
        </span>
        <span>{choicesInWords(apiKey)}</span>
        <span title={formatTime(apiKey.lastUsedAt)}>
          {apiKey.lastUsedAt ? `used ${formatAgo(apiKey.lastUsedAt)}` : 'never used'}
        </span>
        <span>
          {isActive ? 'until' : 'ended'} {formatTime(apiKey.expiresAt)}
        </span>
      </div>
    </li>
  )
}
