import { X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Button } from '../components/controls.tsx'

const SHOWN_MS = 12_000

/** What was done, and the way back, at the foot of the window for a while. */
export function Toast({
  children,
  onUndo,
  onClose,
}: {
  children: ReactNode
  onUndo?: () => void
  onClose: () => void
}) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each toast
  useEffect(() => {
    const timer = setTimeout(onClose, SHOWN_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className="fixed inset-x-0 bottom-6 z-20 mx-auto flex w-fit max-w-[calc(100%-2rem)] items-center gap-3 rounded-lg border border-line bg-panel py-1.5 pr-1.5 pl-4 text-sm shadow-lg">
      <span role="status">{children}</span>
      {onUndo && (
        <Button onClick={onUndo}>
          Undo <kbd className="text-xs text-soft">u</kbd>
        </Button>
      )}
      <Button look="quiet" aria-label="Close" onClick={onClose}>
        <X size={16} aria-hidden="true" />
      </Button>
    </div>
  )
}
