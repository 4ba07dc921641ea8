import type { ReactNode } from 'react'
import { mayAct, type Role, useMe } from '../api/session.ts'

/** What takes a role in the account in force; nothing for those without it. */
export function WhoMay({ least, children }: { least: Role; children: ReactNode }) {
  const me = useMe({ isOpenPage: true })
  return me.data && !mayAct(me.data, least) ? null : children
}
