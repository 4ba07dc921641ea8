import { Link } from '@tanstack/react-router'
import { Button, buttonClass } from '../components/controls.tsx'
import { limitActions as texts } from '../messages/scan-form.ts'
import type { LimitReached } from './refusal-words.ts'

/** On a low window it would be below the button that was pressed. */
const scrollToRefusal = (box: HTMLElement | null) => box?.scrollIntoView({ block: 'nearest' })

/** A limit of the plan, and what can be done instead. */
export function LimitActions({
  refusal,
  onUpgrade,
  onScanHere,
}: {
  refusal: LimitReached
  /** Before the page is left for the plans. */
  onUpgrade?: () => void
  onScanHere?: (() => void) | undefined
}) {
  return (
    <div
      ref={scrollToRefusal}
      role="alert"
      className="space-y-3 rounded-md border border-medium/60 bg-panel px-4 py-3 text-sm"
    >
      <p>{refusal.words}</p>
      <div className="flex flex-wrap gap-2">
        {refusal.canUpgrade && (
          <Link to="/plan" className={buttonClass('primary')} onClick={onUpgrade}>
            Upgrade
          </Link>
        )}
        {onScanHere && <Button onClick={onScanHere}>{texts.scanLocallyBrowser}</Button>}
      </div>
    </div>
  )
}
