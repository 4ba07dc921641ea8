import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Button, type ButtonLook } from './controls.tsx'

export function Dialog({
  title,
  open,
  onClose,
  sheet = false,
  children,
}: {
  title: string
  open: boolean
  onClose: () => void
  /** On a phone: from the bottom edge, over the whole width. */
  sheet?: boolean
  children: ReactNode
}) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    if (open && !dialog.open) {
      dialog.showModal()
      dialog.querySelector<HTMLElement>('[data-first]')?.focus()
    }
    if (!open && dialog.open) dialog.close()
  }, [open])
  return (
    <dialog
      ref={ref}
      // Escape says so at once, `close` a moment later: by then a phone that was turned may have taken the dialog away.
      onCancel={onClose}
      onClose={onClose}
      aria-labelledby={titleId}
      className={`border border-line bg-panel p-0 text-left text-ink ${sheet ? 'fixed mx-0 mt-auto mb-0 max-h-[85dvh] w-full max-w-none rounded-t-xl' : 'fixed m-auto w-[calc(100%-2rem)] max-w-lg rounded-lg'}`}
    >
      {open && (
        <div className={sheet ? 'p-3' : 'p-5'}>
          <h2 id={titleId} className="mb-3 pr-10 text-lg leading-snug font-semibold">
            {title}
          </h2>
          {children}
          {/* Last, so that a form's first field has the focus. */}
          <Button look="quiet" className="absolute top-2 right-2" aria-label="Close" onClick={onClose}>
            <X size={16} aria-hidden="true" />
          </Button>
        </div>
      )}
    </dialog>
  )
}

/** Asks before something that cannot be undone. */
export function Confirm({
  title,
  open,
  action,
  look = 'danger',
  keep = 'Cancel',
  busy = false,
  onConfirm,
  onClose,
  children,
}: {
  title: string
  open: boolean
  action: string
  look?: ButtonLook
  /** What the other button says. */
  keep?: string
  busy?: boolean
  onConfirm: () => void
  onClose: () => void
  children: ReactNode
}) {
  return (
    <Dialog title={title} open={open} onClose={onClose}>
      <div className="text-sm text-soft">{children}</div>
      <div className="mt-5 flex justify-end gap-2">
        <Button onClick={onClose}>{keep}</Button>
        <Button look={look} busy={busy} onClick={onConfirm}>
          {action}
        </Button>
      </div>
    </Dialog>
  )
}
