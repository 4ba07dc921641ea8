import { useMutation } from '@tanstack/react-query'
import { ChevronDown } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button, Field } from '../components/controls.tsx'
import { formatAgo, formatDate, formatTime } from '../components/format.ts'
import { Menu, menuEntryClass } from '../components/menu.tsx'
import { Failure } from '../components/surfaces.tsx'
import { decisionForm as texts } from '../messages/result.ts'
import { type Decide, type Decision, needsReason, stateWords, whatIsMissing } from './decisions.ts'
import { FindingNotes } from './finding-notes.tsx'
import { type FindingRecord, findingStates } from './scan-view.ts'

/** While several findings are selected, the key opens their menu and not that of the one on show: it has none. */
type Control = readonly [isOpen: boolean, setOpen: (isOpen: boolean) => void] | undefined

/** The status of one finding, and the menu that changes it; what needs a reason asks for it below. */
export function StatusPanel({
  record,
  control,
  decide,
  draft,
  onDraft,
}: {
  record: FindingRecord
  control: Control
  decide: Decide
  /** What is typed so far, where the form is open. Kept above: this panel moves when a phone is turned. */
  draft: Decision | undefined
  onDraft: (draft: Decision | undefined) => void
}) {
  return (
    <section aria-label="Status" className="mt-3">
      <FindingNotes record={record} about={<DecisionWords record={record} />}>
        <StatusMenu
          label={
            <>
              {stateWords[record.state]} <ChevronDown size={14} aria-hidden="true" />
            </>
          }
          name={texts.changeStatus(stateWords[record.state])}
          control={control}
          records={[record]}
          decide={decide}
          onDraft={onDraft}
        />
      </FindingNotes>
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

/** Open and fixed are set at once, to be undone; the others ask why. */
function StatusMenu({
  label,
  name,
  control,
  records,
  decide,
  onDraft,
}: {
  label: ReactNode
  name?: string
  control: Control
  records: readonly FindingRecord[]
  decide: Decide
  onDraft: (draft: Decision) => void
}) {
  const save = useMutation({ mutationFn: (decision: Decision) => decide(records, decision) })
  const others = records.length === 1 ? findingStates.filter((state) => state !== records[0]?.state) : findingStates
  return (
    <>
      <Menu label={label} name={name} control={control}>
        {others.map((state) => (
          <button
            key={state}
            type="button"
            className={menuEntryClass}
            onClick={() => (needsReason(state) ? onDraft({ state }) : save.mutate({ state }))}
          >
            {stateWords[state]}
            {needsReason(state) && '…'}
          </button>
        ))}
      </Menu>
      {save.isError && <Failure error={save.error} />}
    </>
  )
}

/** What was decided, by whom and why. */
export function DecisionWords({ record: { reason, until, decidedBy, decidedAt } }: { record: FindingRecord }) {
  if (!decidedAt && !reason) return null
  return (
    <p className="mt-2 break-words">
      {reason}{' '}
      <span className="text-xs text-soft">
        {decidedBy && `by ${decidedBy}`}{' '}
        {decidedAt && <span title={formatTime(decidedAt)}>{formatAgo(decidedAt)}</span>}
        {until && `, until ${formatDate(until)}`}
      </span>
    </p>
  )
}

/** The selected ones get one status. */
export function DecideTogether({
  records,
  control,
  decide,
  onClear,
}: {
  records: readonly FindingRecord[]
  control: Control
  decide: Decide
  onClear: () => void
}) {
  const [draft, setDraft] = useState<Decision>()
  return (
    <section aria-label="Selected findings" className="border-b border-line bg-accent-soft p-3 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <span role="status" className="flex-1 font-medium">
          {records.length} selected
        </span>
        <StatusMenu label="Change status" control={control} records={records} decide={decide} onDraft={setDraft} />
        <Button onClick={onClear}>Clear</Button>
      </div>
      {draft && (
        <DecisionForm
          decision={draft}
          onChange={setDraft}
          action={`Save for ${records.length}`}
          submit={(decision) => decide(records, decision)}
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
  const send = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!missing) save.mutate()
  }
  return (
    <form className="mt-3 space-y-2" onSubmit={send} aria-label={stateWords[decision.state]}>
      <Field
        autoFocus
        label={texts.reasonFor(stateWords[decision.state].toLowerCase())}
        maxLength={500}
        value={decision.reason ?? ''}
        error={isTried ? missing : undefined}
        hint={texts.savedFindingShownLater}
        onChange={(event) => onChange({ ...decision, reason: event.target.value })}
      />
      <Field
        label={texts.expiresOn}
        type="date"
        min={today()}
        value={decision.until ?? ''}
        hint={texts.openAgainAfter}
        onChange={(event) => onChange({ ...decision, until: event.target.value })}
      />
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
