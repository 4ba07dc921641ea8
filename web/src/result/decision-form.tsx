import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Button, Field, Select } from '../components/controls.tsx'
import { formatAgo, formatDate, formatTime } from '../components/format.ts'
import { Failure } from '../components/surfaces.tsx'
import { decisionForm as texts } from '../messages/result.ts'
import { type Decide, type Decision, stateWords, whatIsMissing } from './decisions.ts'
import { type FindingRecord, type FindingState, findingStates, type ListedFinding } from './scan-view.ts'

/** What was decided about one finding, and the way to decide anew. */
export function DecisionPanel({
  record,
  decide,
  draft,
  onDraft,
}: {
  record: FindingRecord
  decide: Decide
  /** What is typed so far, where the form is open. Kept above: this panel moves when a phone is turned. */
  draft: Decision | undefined
  onDraft: (draft: Decision | undefined) => void
}) {
  return (
    <section aria-label="Decision" className="mt-5 rounded-md border border-line bg-sunken p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h4 className="font-semibold">{stateWords[record.state]}</h4>
        {!draft && <Button onClick={() => onDraft({ state: record.state })}>Change status</Button>}
      </div>
      <DecisionWords record={record} />
      {draft && (
        <DecisionForm
          decision={draft}
          onChange={onDraft}
          action="Save"
          submit={(decision) => decide([record], decision)}
          onClose={() => onDraft(undefined)}
        />
      )}
    </section>
  )
}

function DecisionWords({ record: { reason, until, decidedBy, decidedAt } }: { record: FindingRecord }) {
  if (!decidedAt && !reason) return null
  return (
    <p className="mt-1">
      {reason}{' '}
      <span className="text-xs text-soft">
        {decidedBy && `by ${decidedBy}`}{' '}
        {decidedAt && <span title={formatTime(decidedAt)}>{formatAgo(decidedAt)}</span>}
        {until && `, until ${formatDate(until)}`}
      </span>
    </p>
  )
}

/** The marked ones get one decision. */
export function DecideTogether({
  items,
  decide,
  onClear,
  onDecided,
}: {
  items: readonly ListedFinding[]
  decide: Decide
  onClear: () => void
  onDecided: () => void
}) {
  const [draft, setDraft] = useState<Decision>()
  const records = items.flatMap(({ record }) => record ?? [])
  return (
    <section aria-label="Selected findings" className="border-t border-line bg-accent-soft p-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="flex-1 font-medium">
          {items.length} selected
        </span>
        {!draft && (
          <Button look="primary" onClick={() => setDraft({ state: 'false-positive' })}>
            Change status
          </Button>
        )}
        <Button onClick={onClear}>Clear</Button>
      </div>
      {draft && (
        <DecisionForm
          decision={draft}
          onChange={setDraft}
          action={`Save for ${items.length}`}
          submit={async (decision) => {
            await decide(records, decision)
            onDecided()
          }}
          onClose={() => setDraft(undefined)}
        />
      )}
    </section>
  )
}

const today = (): string => new Date().toISOString().slice(0, 10)

function DecisionForm({
  decision,
  onChange,
  action,
  submit,
  onClose,
}: {
  decision: Decision
  onChange: (decision: Decision) => void
  action: string
  submit: (decision: Decision) => Promise<void>
  onClose: () => void
}) {
  const [isTried, setTried] = useState(false)
  const save = useMutation({ mutationFn: () => submit(decision), onSuccess: onClose })
  const missing = whatIsMissing(decision, today())
  const isReasoned = decision.state === 'false-positive' || decision.state === 'accepted'
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!missing) save.mutate()
  }
  return (
    <form className="mt-3 space-y-2" onSubmit={send}>
      <Select
        label="State"
        value={decision.state}
        onChange={(event) => onChange({ ...decision, state: event.target.value as FindingState })}
      >
        {findingStates.map((state) => (
          <option key={state} value={state}>
            {stateWords[state]}
          </option>
        ))}
      </Select>
      <Field
        label="Reason"
        maxLength={500}
        value={decision.reason ?? ''}
        error={isTried ? missing : undefined}
        hint={isReasoned ? texts.savedFindingShownLater : undefined}
        onChange={(event) => onChange({ ...decision, reason: event.target.value })}
      />
      {isReasoned && (
        <Field
          label="Until"
          type="date"
          min={today()}
          value={decision.until ?? ''}
          hint={texts.expiresDateOptional}
          onChange={(event) => onChange({ ...decision, until: event.target.value })}
        />
      )}
      {save.isError && <Failure error={save.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button look="primary" type="submit" busy={save.isPending}>
          {action}
        </Button>
      </div>
    </form>
  )
}
