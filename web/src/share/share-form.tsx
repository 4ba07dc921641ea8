import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call, type ResponseOf } from '../api/client.ts'
import { Button, Select } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { formatDate } from '../components/format.ts'
import { Failure, Note } from '../components/surfaces.tsx'
import { shareForm as texts } from '../messages/share-form.ts'
import { LinkList } from './link-list.tsx'
import { badgeMarkdown, daysOffered, endOf, type Shows, showsWords } from './link-words.ts'

type NewLink = ResponseOf<'POST /api/v1/scans/{scanId}/links'>['data']

/** Makes a link, and lists those that work. */
export function ShareForm({ scanId, project }: { scanId: string; project: string | null }) {
  const [shows, setShows] = useState<Shows>('findings')
  const [follows, setFollows] = useState<'scan' | 'project'>('scan')
  const [days, setDays] = useState<number>(30)
  const queries = useQueryClient()
  const make = useMutation({
    mutationFn: () =>
      call('POST /api/v1/scans/{scanId}/links', {
        params: { scanId },
        body: { shows, follows, expiresAt: endOf(days, new Date()) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['links'] }),
  })
  return (
    <div className="space-y-4">
      <form
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault()
          make.mutate()
        }}
      >
        <p className="text-sm text-soft">{texts.anyoneLinkCanView}</p>
        <Select label="Include" value={shows} onChange={(event) => setShows(event.target.value as Shows)}>
          {Object.entries(showsWords).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
        <div className="grid gap-3 sm:grid-cols-2">
          <Select
            label="Scan"
            value={follows}
            onChange={(event) => setFollows(event.target.value as 'scan' | 'project')}
          >
            <option value="scan">This scan</option>
            {project !== null && (
              <option value="project">
                {texts.alwaysLatest}
                {project}
              </option>
            )}
          </Select>
          <Select label="Expires in" value={days} onChange={(event) => setDays(Number(event.target.value))}>
            {daysOffered.map((offered) => (
              <option key={offered} value={offered}>
                {offered} days
              </option>
            ))}
          </Select>
        </div>
        {make.isError && <Failure error={make.error} />}
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={make.isPending}>
            Create link
          </Button>
        </div>
      </form>
      <div aria-live="polite">{make.data && <Made link={make.data.data} />}</div>
      <LinkList among={(link) => link.scanId === scanId || (project !== null && link.project === project)} />
    </div>
  )
}

/** The address is shown once: the service keeps only its fingerprint. */
function Made({ link }: { link: NewLink }) {
  return (
    <Note tone="good">
      <p className="mb-2">
        {texts.copyLinkNowYou}
        {formatDate(link.expiresAt)}
        {link.shows !== 'badge' && texts.earlierWhenScanDeleted}.
      </p>
      {link.url ? (
        <CopyBox value={link.url} label="shared link" />
      ) : (
        <>
          <img src={link.badgeUrl} alt="The badge" height="20" className="mb-2" />
          <CopyBox value={badgeMarkdown(link.badgeUrl)} label={texts.badgeReadme} />
        </>
      )}
    </Note>
  )
}
