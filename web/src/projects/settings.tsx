import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import type { Me } from '../api/session.ts'
import { Button, Field } from '../components/controls.tsx'
import { Card, Failure } from '../components/surfaces.tsx'
import { settings as texts } from '../messages/projects.ts'
import { GateForm, gateWords } from './gate-form.tsx'
import { readTags } from './read-tags.ts'
import { ScopeForm, scopeWords } from './scope-form.tsx'

type Project = ResponseOf<'GET /api/v1/projects/{id}'>['data']

/** What decides about a project and where it is changed: most of it lies in its repository, so that a run elsewhere sees the same. */
export function ProjectSettings({ me: { organization }, project }: { me: Me; project: Project }) {
  // An auditor reads.
  const mayChange = organization?.role !== 'auditor'
  return (
    <Card title={texts.title}>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[12rem_1fr]">
        <Setting name={texts.tags}>
          {mayChange ? <Tags key={project.tags.join()} project={project} /> : project.tags.join(', ') || texts.noTags}
        </Setting>
        <Setting name={texts.members}>
          {organization ? (
            <>
              {texts.membersWords(organization.name)} <To to="/organization">{texts.manage}</To>
            </>
          ) : (
            <>
              {texts.onlyYou} <To to="/organization/new">{texts.createOrganization}</To>
            </>
          )}
        </Setting>
        <Setting name={texts.scope}>
          {mayChange ? <ScopeForm key={project.id} project={project} /> : scopeWords(project.scope)}
        </Setting>
        <Setting name={texts.gate}>
          {mayChange ? (
            <GateForm key={`${project.gate?.failOn} ${project.gate?.onlyNew}`} project={project} />
          ) : (
            gateWords(project.gate)
          )}
          <p className="mt-2 text-xs">
            {texts.gateCommand} <code>assay scan --fail-on high --baseline baseline.json</code>
          </p>
        </Setting>
        <Setting name={texts.notifications}>
          <To to="/webhooks">{texts.webhooks}</To> · <To to="/account">{texts.emails}</To>
        </Setting>
      </dl>
    </Card>
  )
}

/** Written as a list that commas separate. */
function Tags({ project: { id, tags } }: { project: Project }) {
  const queries = useQueryClient()
  const [text, setText] = useState(tags.join(', '))
  const save = useMutation({
    mutationFn: (words: string[]) => call('PATCH /api/v1/projects/{id}', { params: { id }, body: { tags: words } }),
    onSuccess: () => Promise.all(['project', 'projects'].map((key) => queries.invalidateQueries({ queryKey: [key] }))),
  })
  const words = readTags(text)
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(words)
      }}
    >
      <Field
        label={texts.tagsLabel}
        hint={texts.tagsHint}
        value={text}
        maxLength={400}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" className="mt-6" busy={save.isPending} disabled={words.join() === tags.join()}>
        {texts.saveTags}
      </Button>
      {save.isError && <Failure error={save.error} />}
    </form>
  )
}

const To = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="text-accent underline">
    {children}
  </Link>
)

const Setting = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt className="font-medium">{name}</dt>
    <dd className="min-w-0 break-words text-soft">{children}</dd>
  </>
)
