import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Me } from '../api/session.ts'
import { Card } from '../components/surfaces.tsx'
import { settings as texts } from '../messages/projects.ts'

/** What decides about a project and where it is changed: most of it lies in its repository, so that a run elsewhere sees the same. */
export function ProjectSettings({ me: { organization } }: { me: Me }) {
  return (
    <Card title={texts.title}>
      <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[12rem_1fr]">
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
          {texts.scopeWords} <code>--exclude</code>.
        </Setting>
        <Setting name={texts.gate}>
          {texts.gateWords} <code>assay scan --fail-on high --baseline baseline.json</code>
        </Setting>
        <Setting name={texts.notifications}>
          <To to="/webhooks">{texts.webhooks}</To> · <To to="/account">{texts.emails}</To>
        </Setting>
      </dl>
    </Card>
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
