import { CircleCheck, CircleX } from 'lucide-react'
import { gateMark as texts } from '../messages/projects.ts'

export interface Verdict {
  readonly isPassed: boolean
  readonly reason: string
}

/** Whether a run passed the gate of its project; `long`: with the reason beside it, not only on hover. */
export function GateMark({ gate, long = false }: { gate: Verdict | null | undefined; long?: boolean }) {
  if (!gate) return null
  const { isPassed, reason } = gate
  const Icon = isPassed ? CircleCheck : CircleX
  return (
    <span
      title={reason}
      className={`inline-flex items-center gap-1 text-sm font-medium ${isPassed ? 'text-good' : 'text-critical'}`}
    >
      <Icon size={15} aria-hidden="true" />
      {isPassed ? texts.passed : texts.failed}
      {long ? <span className="font-normal text-soft">{reason}</span> : <span className="sr-only">: {reason}</span>}
    </span>
  )
}
