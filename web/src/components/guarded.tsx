import { Link, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Me, mayAct, type Role, useMe } from '../api/session.ts'
import { guarded as texts } from '../messages/components.ts'
import { buttonClass } from './controls.tsx'
import { isWide, Loading, type LoadingShape } from './loading.tsx'
import { Empty, Failure, Note, Page } from './surfaces.tsx'

export type { Me } from '../api/session.ts'

/** Shows its content to users who are logged in and have the role that it takes, and the log-in form to visitors. */
export function Guarded({
  title,
  shape,
  least = 'auditor',
  children,
}: {
  title: string
  least?: Role
  /** Of what is on its way. */
  shape: LoadingShape
  children: (me: Me) => ReactNode
}) {
  const me = useMe()
  const here = useLocation({ select: (location) => location.href })
  if (me.data && !mayAct(me.data, least))
    return (
      <Page title={title}>
        <Note>{texts.takesRole(least, me.data.organization?.name ?? '', me.data.organization?.role ?? '')}</Note>
      </Page>
    )
  if (me.data) return children(me.data)
  // What an open page took for a visitor is checked here.
  const isComing = me.isPending || (me.data === null && me.isFetching)
  return (
    <Page title={title} wide={isComing && isWide(shape)}>
      {isComing && <Loading shape={shape} />}
      {me.isError && <Failure error={me.error} retry={() => me.refetch()} />}
      {me.data === null && !isComing && (
        <Empty title={texts.logSeePage}>
          <Link to="/login" search={{ next: here }} className={buttonClass('primary')}>
            Log in
          </Link>
        </Empty>
      )}
    </Page>
  )
}
