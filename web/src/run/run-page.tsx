import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, type ScanProgress } from '../api/client.ts'
import { Button, buttonClass } from '../components/controls.tsx'
import { formatAgo, formatTime } from '../components/format.ts'
import { Failure, Note, Page } from '../components/surfaces.tsx'
import { run as texts } from '../messages/run.ts'
import { leaveDraft, submittedDraft } from '../scan-form/draft.ts'
import { largestFolders } from './largest-folders.ts'
import { timeLeft } from './time-left.ts'

/** A scan without a result: how far it got, or why it has none. Its address is that of the result. */
export function RunPage({ scan }: { scan: ScanProgress }) {
  const { scanId, status, fileName, createdAt, reason } = scan
  const draft = submittedDraft(scanId)
  const folders = draft && 'sources' in draft ? largestFolders(draft.sources.map(({ path }) => path)) : []
  const isAlive = status === 'queued' || status === 'running'
  return (
    <Page
      title={fileName}
      lead={<span title={formatTime(createdAt)}>{texts.queuedAgo(formatAgo(createdAt))}</span>}
      actions={isAlive && <Cancel scanId={scanId} />}
    >
      {isAlive && <Steps scan={scan} />}
      {status === 'failed' && (
        <Note tone="warn">
          <p>
            {reason ?? texts.failed} {texts.notCharged}
          </p>
          <p className="mt-1">
            {texts.leaveOut} {folders.length > 0 && texts.largest(folders)}
          </p>
        </Note>
      )}
      {status === 'cancelled' && <Note tone="warn">{texts.cancelled}</Note>}
      {!isAlive && <Again scanId={scanId} />}
    </Page>
  )
}

function Steps({ scan: { status, position, progress, startedAt } }: { scan: ScanProgress }) {
  const left = timeLeft(startedAt, progress, Date.now())
  const notes = {
    queued: position === null ? undefined : texts.position(position),
    running: progress ? texts.filesDone(progress.filesDone, progress.files) : undefined,
    completed: undefined,
  }
  const names = ['queued', 'running', 'completed'] as const
  const at = names.indexOf(status === 'running' ? 'running' : 'queued')
  return (
    <div className="rounded-lg border border-line bg-panel p-4">
      <ol aria-label="Progress" className="space-y-3">
        {names.map((name, index) => (
          <li
            key={name}
            aria-current={index === at ? 'step' : undefined}
            className={`flex items-center gap-3 ${index > at ? 'text-soft' : ''}`}
          >
            <span
              aria-hidden="true"
              className={`flex size-6 items-center justify-center rounded-full border text-xs ${index < at ? 'border-good text-good' : index === at ? 'border-accent text-accent' : 'border-line'}`}
            >
              {index < at ? '✓' : index + 1}
            </span>
            <span className={index === at ? 'font-medium' : ''}>{texts.steps[name]}</span>
            {index === at && <span className="text-sm text-soft tabular-nums">{notes[name]}</span>}
          </li>
        ))}
      </ol>
      {progress && (
        <progress
          className="mt-4 block h-2 w-full"
          aria-label={texts.steps.running}
          value={progress.filesDone}
          max={progress.files}
        />
      )}
      <p role="status" className="mt-3 text-sm text-soft">
        {left && `${texts.left(left)}. `}
        {texts.survives}
      </p>
    </div>
  )
}

function Cancel({ scanId }: { scanId: string }) {
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => call('DELETE /api/v1/scans/{scanId}', { params: { scanId } }),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <>
      <Button busy={cancel.isPending} onClick={() => cancel.mutate()}>
        {texts.cancel}
      </Button>
      {cancel.isError && <Failure error={cancel.error} />}
    </>
  )
}

/** What was sent from this tab is still here, to be sent with less. */
function Again({ scanId }: { scanId: string }) {
  const draft = submittedDraft(scanId)
  return (
    <Link
      to="/scan"
      className={`${buttonClass('primary')} mt-4`}
      onClick={() => {
        if (draft) leaveDraft(draft)
      }}
    >
      {draft ? texts.changeFiles : texts.newScan}
    </Link>
  )
}
