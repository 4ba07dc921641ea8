import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { actFor } from '../api/acting-for.ts'
import { call } from '../api/client.ts'
import type { Me } from '../api/session.ts'
import { Menu, menuEntryClass } from '../components/menu.tsx'
import { Failure } from '../components/surfaces.tsx'
import { switcher as texts } from '../messages/organizations.ts'

/** The account in force, always in sight, and the others that the person can act for. */
export function OrganizationSwitcher({ me }: { me: Me }) {
  const name = me.organization?.name ?? texts.personal
  return (
    <Menu
      name={texts.account(name)}
      label={
        <>
          <span className="max-w-32 truncate lg:max-w-20 xl:max-w-40">{name}</span>{' '}
          <ChevronDown size={14} aria-hidden="true" />
        </>
      }
    >
      <Accounts me={me} />
    </Menu>
  )
}

export const useOrganizations = () =>
  useQuery({ queryKey: ['organizations'], queryFn: () => call('GET /api/v1/organisations', { query: { limit: 100 } }) })

/** Requested when the menu opens. */
function Accounts({ me: { email, organization } }: { me: Me }) {
  const organizations = useOrganizations()
  const entries = [
    { id: null, name: texts.personal, note: email },
    ...(organizations.data?.data.organisations ?? []).map(({ id, name, role }) => ({ id, name, note: role })),
  ]
  return (
    <>
      {entries.map(({ id, name, note }) => (
        <button
          key={id}
          type="button"
          aria-current={id === (organization?.id ?? null) ? 'true' : undefined}
          className={`${menuEntryClass} aria-[current=true]:font-semibold`}
          onClick={() => actFor(id)}
        >
          {name}
          <span className="block text-xs font-normal text-soft">{note}</span>
        </button>
      ))}
      {organizations.isError && <Failure error={organizations.error} />}
      <div className="mt-1 border-t border-line pt-1">
        {organization && (
          <Link to="/organization" className={menuEntryClass}>
            {texts.members}
          </Link>
        )}
        <Link to="/plan" className={menuEntryClass}>
          {texts.plan}
        </Link>
        <Link to="/organization/new" className={menuEntryClass}>
          {texts.create}
        </Link>
      </div>
    </>
  )
}
