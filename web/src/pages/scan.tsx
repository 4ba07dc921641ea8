import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { call } from '../api/client.ts'
import { usePlan } from '../api/session.ts'
import { AiScanForm } from '../components/ai-scan-form.tsx'
import { Button, Field } from '../components/controls.tsx'
import { formatBytes } from '../components/format.ts'
import { Guarded, type Me } from '../components/guarded.tsx'
import { Card, Failure, Page } from '../components/surfaces.tsx'
import { useLatest } from '../components/use-latest.ts'
import { scan as texts } from '../messages/pages/scan.ts'
import { pauseDraft, rememberSubmitted, takeDraftOf } from '../scan-form/draft.ts'
import { AddressForm, BatchForm, Origins, RepositoryForm } from '../scan-form/elsewhere.tsx'
import { LimitActions } from '../scan-form/limit-actions.tsx'
import { LocalResult } from '../scan-form/local-result.tsx'
import { type ChosenProject, ProjectFiles, sentSources, sizeOf } from '../scan-form/project-files.tsx'
import { refusalBeforeUpload, refusalOfService, refusalOfSize } from '../scan-form/refusal-words.ts'
import { SourceInput } from '../scan-form/source-input.tsx'
import { fileNameOf, suggestProject, unnamedFile } from '../scan-form/suggest-project.ts'

export function ScanPage() {
  return (
    <Guarded title={texts.scanContract} shape="editor" least="member">
      {(me) => <ScanFrom me={me} />}
    </Guarded>
  )
}

function ScanFrom({ me }: { me: Me }) {
  const { from = 'code' } = useSearch({ from: '/scan' })
  const navigate = useNavigate({ from: '/scan' })
  const origin = (
    <Origins
      origin={from}
      onChange={(next) => navigate({ search: next === 'code' ? {} : { from: next }, resetScroll: false })}
    />
  )
  if (from === 'code') return <NewScan me={me} origin={origin} />
  return (
    <Page title={texts.scanContract}>
      <div className="space-y-4">
        {origin}
        {from === 'address' && <AddressForm />}
        {from === 'repository' && <RepositoryForm />}
        {from === 'batch' && <BatchForm />}
      </div>
    </Page>
  )
}

/** The upload the service expects: a file part called `file`. */
export function uploadOf(source: string, name: string): FormData {
  const form = new FormData()
  form.append('file', new File([source], name, { type: 'text/plain' }))
  return form
}

/** A project goes as one part a file, named by its path; an archive as it is. */
function projectUpload(project: ChosenProject): FormData {
  const form = new FormData()
  if (project.kind === 'archive') form.append('file', project.file)
  else {
    form.append('name', project.name)
    for (const { path, text } of sentSources(project))
      form.append('file', new Blob([text], { type: 'text/plain' }), path)
  }
  return form
}

const nameOf = (project: ChosenProject): string => (project.kind === 'archive' ? project.file.name : project.name)

function withProject(form: FormData, name: string): FormData {
  if (name) form.append('project', name)
  return form
}

const waitingWords = (isProved: boolean): string => (isProved ? texts.compilingRunningAttacksCan : 'Scanning…')

function NewScan({ me, origin }: { me: Me; origin: ReactNode }) {
  const [draft] = useState(() => takeDraftOf(me.userId, sessionStorage))
  const [source, setSource] = useState(draft && 'source' in draft ? draft.source : '')
  const [typedName, setName] = useState(draft && 'source' in draft ? draft.name : unnamedFile)
  /** Pasted code is called after its last contract, as on the first page. */
  const name = typedName === unnamedFile ? fileNameOf(source) : typedName
  const [project, setProject] = useState<ChosenProject | null>(
    draft && 'sources' in draft ? { kind: 'sources', ...draft } : null,
  )
  /** Undefined until it is typed: then the name of the code is suggested. */
  const [typedProject, setTypedProject] = useState(draft?.belongsTo || undefined)
  const belongsTo = typedProject ?? suggestProject({ name: project ? nameOf(project) : name, source })
  const [isLocal, setLocal] = useState(false)
  const [isProved, setProved] = useState(false)
  const isSent = useRef(false)
  const plan = usePlan(me.userId)
  const projects = useQuery({ queryKey: ['projects'], queryFn: () => call('GET /api/v1/projects', {}) })
  const projectList = useId()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const scan = useMutation({
    mutationFn: () =>
      call('POST /api/v1/scan', {
        // A project is queued: its page is there at once, and outlives this one.
        query: { ...(isProved && { prove: 'true' }), ...(project && { async: 'true' }) },
        body: withProject(project ? projectUpload(project) : uploadOf(source, name), belongsTo.trim()),
      }),
    onSuccess: ({ scanId }) => {
      isSent.current = true
      if (project?.kind === 'sources')
        rememberSubmitted(scanId, { name: project.name, sources: project.sources, belongsTo })
      return navigate({ to: '/scans/$scanId', params: { scanId } })
    },
    onSettled: () => queries.invalidateQueries(),
  })
  const account = plan.data?.data
  const early = account && (project ? refusalOfSize(sizeOf(project), account) : refusalBeforeUpload(source, account))
  const late = scan.error && account ? refusalOfService(scan.error, account) : undefined
  const isEmpty = project === null && source.trim() === ''
  /** What this browser can scan by itself: an archive is unpacked by the service alone. */
  const local = useMemo(
    () =>
      project === null
        ? [{ path: name, text: source }]
        : project.kind === 'sources'
          ? sentSources(project).filter(({ path }) => path.endsWith('.sol'))
          : undefined,
    [project, name, source],
  )
  const pause = () => {
    // What was only suggested is suggested anew, for what is there by then.
    const own = typedProject === undefined ? {} : { belongsTo: typedProject }
    if (project === null) pauseDraft({ source, name: typedName, ...own }, me.userId, sessionStorage)
    else if (project.kind === 'sources')
      pauseDraft({ name: project.name, sources: [...project.sources], ...own }, me.userId, sessionStorage)
  }
  const keep = useLatest(() => {
    if (!isSent.current && !isEmpty) pause()
  })
  // Another page is looked at in between: what was typed or chosen is here again afterwards.
  useEffect(() => keep, [keep])
  const refusal = late ?? (isEmpty ? undefined : early)
  /** What was said of the old input says nothing of the new one. */
  const changed =
    <T,>(set: (value: T) => void) =>
    (value: T) => {
      set(value)
      scan.reset()
      setLocal(false)
    }
  return (
    <Page
      title={texts.scanContract}
      lead={
        account &&
        texts.yourPlanTakesFiles(formatBytes(account.quotas.maxFileSize), formatBytes(account.quotas.maxContractSize))
      }
    >
      <div className="space-y-4">
        {origin}
        {project ? (
          <ProjectFiles
            project={project}
            isScanning={scan.isPending}
            onChange={changed(setProject)}
            onClear={() => changed(setProject)(null)}
          />
        ) : (
          <SourceInput
            name={name}
            source={source}
            onChange={(text, fileName) => {
              changed(setSource)(text)
              if (fileName !== name) setName(fileName)
            }}
            onProject={changed(setProject)}
            rows={20}
          />
        )}
        <Field
          label="Project (optional)"
          hint={texts.scansOneProjectShare}
          value={belongsTo}
          maxLength={200}
          list={projectList}
          onChange={(event) => setTypedProject(event.target.value)}
          className="max-w-md"
        />
        <datalist id={projectList}>
          {projects.data?.data.projects.map((known) => (
            <option key={known.id} value={known.name} />
          ))}
        </datalist>
        <div className="flex flex-wrap items-center gap-3">
          <Button
            look="primary"
            busy={scan.isPending}
            disabled={isEmpty || early !== undefined}
            onClick={() => scan.mutate()}
          >
            {scan.isPending ? 'Scanning' : 'Scan'}
          </Button>
          <label className="flex items-center gap-2 text-sm">
            <input type="checkbox" checked={isProved} onChange={(event) => setProved(event.target.checked)} />
            {texts.verifyFindingsSimulatedAttacks}
          </label>
          <span role="status" className="text-sm text-soft">
            {scan.isPending && waitingWords(isProved)}
          </span>
        </div>
        {refusal && <LimitActions refusal={refusal} onUpgrade={pause} onScanHere={local && (() => setLocal(true))} />}
        {scan.isError && !late && <Failure error={scan.error} />}
        {isLocal && local && <LocalResult sources={local} />}
        {!project && (
          <Card title="AI review">
            <AiScanForm source={source} name={name} allowed={account?.plan === 'pro'} />
          </Card>
        )}
      </div>
    </Page>
  )
}
