import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/client.ts'
import { Button } from '../components/controls.tsx'
import { CopyBox } from '../components/copy-box.tsx'
import { Card, Failure } from '../components/surfaces.tsx'
import { badge as texts } from '../messages/projects.ts'
import { LinkList } from '../share/link-list.tsx'
import { badgeMarkdown, endOf } from '../share/link-words.ts'

const YEAR_DAYS = 365

/** The score of the project as a picture for a README, by a secret address that shows nothing else. */
export function ProjectBadge({ name, scanId }: { name: string; scanId: string }) {
  const queries = useQueryClient()
  const create = useMutation({
    mutationFn: () =>
      call('POST /api/v1/scans/{scanId}/links', {
        params: { scanId },
        body: { shows: 'badge', follows: 'project', expiresAt: endOf(YEAR_DAYS, new Date()) },
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['links'] }),
  })
  const url = create.data?.data.badgeUrl
  return (
    <Card title={texts.title}>
      <div className="space-y-3 text-sm">
        <p className="text-soft">{texts.about}</p>
        {create.isError && <Failure error={create.error} />}
        <div aria-live="polite">
          {url && (
            <>
              <p className="mb-2">{texts.copyNow}</p>
              <img src={url} alt={texts.picture} height="20" className="mb-2" />
              <CopyBox value={badgeMarkdown(url)} label={texts.markdown} />
            </>
          )}
        </div>
        <Button busy={create.isPending} onClick={() => create.mutate()}>
          {texts.create}
        </Button>
        <LinkList among={(link) => link.project === name && link.shows === 'badge'} />
      </div>
    </Card>
  )
}
