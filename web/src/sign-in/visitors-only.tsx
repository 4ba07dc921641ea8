import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useMe } from '../api/session.ts'

/** A page for those who are not logged in; the others are led to `next`. Its content stays while it logs somebody in. */
export function VisitorsOnly({ next, children }: { next: string; children: ReactNode }) {
  const me = useMe({ isOpenPage: true })
  const navigate = useNavigate()
  const [isShown, setShown] = useState(false)
  if (!isShown && !me.isPending && !me.data) setShown(true)
  const isIn = !isShown && Boolean(me.data)
  useEffect(() => {
    if (isIn) navigate({ href: next, replace: true })
  }, [isIn, navigate, next])
  return isShown ? children : null
}
