import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { call, type ResponseOf } from '../api/client.ts'
import { Button } from '../components/controls.tsx'
import { linkClass } from '../components/entrance.tsx'
import { formatAgo, formatDate, formatTime } from '../components/format.ts'
import { Loading } from '../components/loading.tsx'
import { Failure } from '../components/surfaces.tsx'
import { linkList as texts } from '../messages/share.ts'
import { showsWords } from './link-words.ts'

export type SharedLink = ResponseOf<'GET /api/v1/links'>['data']['links'][number]

/** Links that still work, each with the way to end it. */
export function LinkList({ among = () => true, empty }: { among?: (link: SharedLink) => boolean; empty?: string }) {
  const queries = useQueryClient()
  const links = useQuery({ queryKey: ['links'], queryFn: () => call('GET /api/v1/links', {}) })
  const revoke = useMutation({
    mutationFn: (id: string) => call('DELETE /api/v1/links/{id}', { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: ['links'] }),
  })
  if (links.isPending) return <Loading what={texts.loadingYourLinks} />
  if (links.isError) return <Failure error={links.error} retry={() => links.refetch()} />
  const shown = links.data.data.links.filter(among)
  return (
    <>
      {revoke.isError && <Failure error={revoke.error} />}
      {shown.length === 0 && empty && <p className="text-sm text-soft">{empty}</p>}
      {shown.length > 0 && (
        <ul aria-label="Shared links" className="divide-y divide-line">
          {shown.map((link) => (
            <li key={link.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2 text-sm">
              <span className="min-w-0 flex-1 basis-56">
                <NameOf link={link} />
                <span className="block text-xs text-soft">
                  {showsWords[link.shows]} · expires {formatDate(link.expiresAt)} ·{' '}
                  <span title={formatTime(link.createdAt)}>made {formatAgo(link.createdAt)}</span>
                  {link.createdBy && ` by ${link.createdBy}`}
                </span>
              </span>
              <Button
                look="danger"
                busy={revoke.isPending && revoke.variables === link.id}
                aria-label={texts.revokeLinkMade(link.name, formatAgo(link.createdAt))}
                onClick={() => revoke.mutate(link.id)}
              >
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function NameOf({ link }: { link: SharedLink }) {
  if (link.scanId === null)
    return (
      <span className="break-words">
        {texts.latestScan}
        {link.name}
      </span>
    )
  return (
    <Link to="/scans/$scanId" params={{ scanId: link.scanId }} className={`${linkClass} break-words`}>
      {link.name}
    </Link>
  )
}
