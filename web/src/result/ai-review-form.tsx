import { useState } from 'react'
import { usePlan } from '../api/session.ts'
import { AiScanForm } from '../components/ai-scan-form.tsx'
import { Button, Select } from '../components/controls.tsx'
import { Dialog } from '../components/dialog.tsx'
import { aiReviewForm as texts } from '../messages/result.ts'
import type { ViewSource } from './scan-view.ts'

/** A second opinion on what was scanned: a scan of its own, with the model's words beside the findings. */
export function AiReviewForm({ userId, sources }: { userId: string; sources: readonly ViewSource[] }) {
  const [isOpen, setOpen] = useState(false)
  const [path, setPath] = useState(sources[0]?.path)
  const plan = usePlan(userId)
  const source = sources.find((one) => one.path === path) ?? sources[0]
  return (
    <>
      <Button onClick={() => setOpen(true)}>AI review</Button>
      <Dialog title="AI review" open={isOpen} onClose={() => setOpen(false)}>
        <div className="space-y-4">
          <p className="text-sm text-soft">{texts.usesOneScanFrom}</p>
          {sources.length > 1 && (
            <Select label="File" value={source?.path} onChange={(event) => setPath(event.target.value)}>
              {sources.map((one) => (
                <option key={one.path}>{one.path}</option>
              ))}
            </Select>
          )}
          <AiScanForm
            source={source?.text ?? ''}
            name={source?.path.split('/').at(-1) ?? 'Contract.sol'}
            allowed={plan.data?.data.plan === 'pro'}
            onDone={() => setOpen(false)}
          />
        </div>
      </Dialog>
    </>
  )
}
