import { useState } from 'react'
import { Button } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { LaterPart } from '../components/later-part.tsx'
import { shareButton as texts } from '../messages/share.ts'

const loadForm = async () => (await import('./share-form.tsx')).ShareForm

/** Gives a result to someone without an account, and takes it back. */
export function ShareButton({ scanId, project }: { scanId: string; project: string | null }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Share</Button>
      <Dialog title={texts.shareResult} open={isOpen} onClose={() => setOpen(false)}>
        <LaterPart name="share" load={loadForm} props={{ scanId, project }} />
      </Dialog>
    </>
  )
}
