import { useState } from 'react'
import { Button } from './controls.tsx'

/** A value to take away: shown in full or masked until requested, with a copy button. */
export function CopyBox({ value, label, masked = false }: { value: string; label: string; masked?: boolean }) {
  const [shown, setShown] = useState(!masked)
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(value)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <code
        className={`min-w-0 flex-1 rounded bg-sunken px-2 py-1 font-mono text-xs break-all whitespace-pre-wrap ${value.includes('\n') ? 'basis-60' : ''}`}
      >
        {shown ? value : `${value.slice(0, 14)}${'•'.repeat(12)}`}
      </code>
      {masked && (
        <Button look="quiet" aria-label={`${shown ? 'Hide' : 'Show'} ${label}`} onClick={() => setShown(!shown)}>
          {shown ? 'Hide' : 'Show'}
        </Button>
      )}
      <Button aria-label={`Copy ${label}`} onClick={copy}>
        <span aria-live="polite">{copied ? 'Copied' : 'Copy'}</span>
      </Button>
    </div>
  )
}
