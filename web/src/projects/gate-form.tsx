import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Button, Select, Toggle } from '../components/controls.tsx'
import { formatTime } from '../components/format.ts'
import { type Severity, severities } from '../components/severities.ts'
import { Failure } from '../components/surfaces.tsx'
import { gateForm as texts } from '../messages/projects.ts'

type Project = ResponseOf<'GET /api/v1/projects/{id}'>['data']

/** The gate for those who cannot change it. */
export const gateWords = (gate: Project['gate']): string =>
  gate === null ? texts.off : `${texts.severity[gate.failOn]}. ${gate.onlyNew ? texts.onlyNewWords : texts.allWords}`

/** What fails a run of the project. */
export function GateForm({ project: { id, gate } }: { project: Project }) {
  const queries = useQueryClient()
  const [failOn, setFailOn] = useState<Severity | 'off'>(gate?.failOn ?? 'off')
  const [onlyNew, setOnlyNew] = useState(gate?.onlyNew ?? false)
  const wanted = failOn === 'off' ? null : { failOn, onlyNew }
  const save = useMutation({
    mutationFn: () => call('PATCH /api/v1/projects/{id}', { params: { id }, body: { gate: wanted } }),
    onSuccess: () =>
      Promise.all(
        ['project', 'projects', 'scans', 'scan'].map((key) => queries.invalidateQueries({ queryKey: [key] })),
      ),
  })
  const isSame = wanted?.failOn === gate?.failOn && wanted?.onlyNew === gate?.onlyNew
  return (
    <form
      className="space-y-2"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
        <Select
          label={texts.failOn}
          className="w-56"
          value={failOn}
          onChange={(event) => setFailOn(event.target.value as Severity | 'off')}
        >
          <option value="off">{texts.off}</option>
          {severities.map((severity) => (
            <option key={severity} value={severity}>
              {texts.severity[severity]}
            </option>
          ))}
        </Select>
        {failOn !== 'off' && (
          <div className="flex min-h-9 items-center text-ink">
            <Toggle label={texts.onlyNew} checked={onlyNew} onChange={setOnlyNew} />
          </div>
        )}
        <Button type="submit" busy={save.isPending} disabled={isSame}>
          {texts.save}
        </Button>
      </div>
      <p className="text-xs">
        {failOn === 'off' ? texts.offWords : onlyNew ? texts.onlyNewWords : texts.allWords}
        {gate?.onlyNew && onlyNew && failOn !== 'off' && ` ${texts.since(formatTime(gate.since))}`}
      </p>
      {save.isError && <Failure error={save.error} />}
    </form>
  )
}
