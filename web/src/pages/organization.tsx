import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { actFor } from '../api/acting-for.ts'
import { call } from '../api/client.ts'
import { buttonClass, Field } from '../components/controls.tsx'
import { EntranceForm } from '../components/entrance.tsx'
import { Guarded } from '../components/guarded.tsx'
import { Empty, Page } from '../components/surfaces.tsx'
import { planOffers } from '../generated/plan-offers.ts'
import { switcher, organizationPage as texts } from '../messages/organizations.ts'
import { Invitations } from '../organization/invitations.tsx'
import { Members } from '../organization/members.tsx'
import { AuditLog, Settings } from '../organization/settings.tsx'

/** The organization that the person acts for. */
export function OrganizationPage() {
  return (
    <Guarded title="Organization" shape="sections">
      {({ organization }) =>
        organization ? (
          <Page
            title={organization.name}
            lead={
              <>
                {texts.yourRole(organization.role)} ·{' '}
                {organization.role === 'owner' ? (
                  <Link to="/plan" className="text-accent underline">
                    {texts.plan(organization.plan)}
                  </Link>
                ) : (
                  texts.plan(organization.plan)
                )}
              </>
            }
          >
            <div className="space-y-6">
              <Members organization={organization} />
              <Invitations organization={organization} />
              {organization.role === 'owner' && <Settings key={organization.name} organization={organization} />}
              <AuditLog organization={organization} />
            </div>
          </Page>
        ) : (
          <Page title="Organization">
            <Empty title={texts.none}>
              <p className="mb-4">{texts.noneWords}</p>
              <Link to="/organization/new" className={buttonClass('primary')}>
                {switcher.create}
              </Link>
            </Empty>
          </Page>
        )
      }
    </Guarded>
  )
}

export function NewOrganizationPage() {
  return (
    <Guarded title={texts.createTitle} shape="form">
      {() => <NewOrganization />}
    </Guarded>
  )
}

const freeLimits = planOffers[0].lines.map((line) => line[0]!.toLowerCase() + line.slice(1)).join(', ')

function NewOrganization() {
  const create = useMutation({
    mutationFn: (name: string) => call('POST /api/v1/organisations', { body: { name } }),
    onSuccess: ({ data }) => actFor(data.id, '/organization'),
  })
  return (
    <EntranceForm
      title={texts.createTitle}
      lead={texts.createLead(freeLimits)}
      action="Create"
      busy={create.isPending}
      error={create.error}
      onSubmit={({ name = '' }) => create.mutate(name.trim())}
    >
      <Field label="Name" name="name" required maxLength={100} autoFocus />
    </EntranceForm>
  )
}
