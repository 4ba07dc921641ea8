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
    if (open && !dialog.open) dialog.showModal()
    if (!open && dialog.open) dialog.close()
  }, [open])
  return (
    <dialog
      ref={ref}
      onClose={onClose}
      aria-labelledby={titleId}
      className={`border border-line bg-panel p-0 text-ink ${sheet ? 'mx-0 mt-auto mb-0 max-h-[85dvh] w-full max-w-none rounded-t-xl' : 'm-auto w-full max-w-lg rounded-lg'}`}
    >
      {open && (
        <div className={sheet ? 'p-3' : 'p-5'}>
          <header className="mb-3 flex items-start justify-between gap-3">
            <h2 id={titleId} className="text-lg font-semibold">
              {title}
            </h2>
            {sheet && <Button onClick={onClose}>Close</Button>}
          </header>
          {children}
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
  keep = 'Keep it',
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
