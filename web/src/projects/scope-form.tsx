import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Button } from '../components/controls.tsx'
import { Failure } from '../components/surfaces.tsx'
import { scopeForm as texts } from '../messages/projects.ts'
import { readLines } from './read-lines.ts'

type Project = ResponseOf<'GET /api/v1/projects/{id}'>['data']

/** The scope for those who cannot change it. */
export const scopeWords = (scope: Project['scope']): string =>
  scope === null ? texts.none : [...scope.exclude, ...scope.remappings].join(', ')

/** What of the uploads of a project is reported, and how their imports are found. */
export function ScopeForm({ project: { id, scope } }: { project: Project }) {
  const queries = useQueryClient()
  const [exclude, setExclude] = useState(scope?.exclude.join('\n') ?? '')
  const [remappings, setRemappings] = useState(scope?.remappings.join('\n') ?? '')
  const wanted = { exclude: readLines(exclude), remappings: readLines(remappings) }
  const isSame = [
    [wanted.exclude, scope?.exclude],
    [wanted.remappings, scope?.remappings],
  ].every(([now, before]) => now?.join('\n') === (before ?? []).join('\n'))
  const save = useMutation({
    mutationFn: () => call('PATCH /api/v1/projects/{id}', { params: { id }, body: { scope: wanted } }),
    onSuccess: ({ data }) => {
      setExclude(data.scope?.exclude.join('\n') ?? '')
      setRemappings(data.scope?.remappings.join('\n') ?? '')
      return Promise.all(['project', 'projects'].map((key) => queries.invalidateQueries({ queryKey: [key] })))
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate()
  }
  return (
    <form className="space-y-2" onSubmit={submit}>
      <div className="grid gap-3 lg:grid-cols-2">
        <Lines
          label={texts.exclude}
          hint={texts.excludeHint}
          placeholder="src/legacy"
          value={exclude}
          onChange={setExclude}
        />
        <Lines
          label={texts.remappings}
          hint={texts.remappingsHint}
          placeholder="@openzeppelin/=lib/openzeppelin-contracts/"
          value={remappings}
          onChange={setRemappings}
        />
      </div>
      <Button type="submit" busy={save.isPending} disabled={isSame}>
        {texts.save}
      </Button>
      <p role="status" className="text-xs">
        {save.isSuccess && isSame && texts.saved}
      </p>
      {save.isError && <Failure error={save.error} />}
    </form>
  )
}

function Lines({
  label,
  hint,
  placeholder,
  value,
  onChange,
}: {
  label: string
  hint: string
  placeholder: string
  value: string
  onChange: (value: string) => void
}) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={3}
        spellCheck={false}
        placeholder={placeholder}
        aria-describedby={`${id}-note`}
        className="w-full rounded-md border border-field bg-panel px-3 py-2 font-mono text-xs text-ink"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={`${id}-note`} className="mt-1 text-xs text-soft">
        {hint}
      </p>
    </div>
  )
}
