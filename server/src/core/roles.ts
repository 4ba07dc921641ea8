/** What a member of an organisation may do: read; scan and judge findings too; everything, keys, plan and people included. */
export const roles = ['auditor', 'member', 'owner'] as const
export type Role = (typeof roles)[number]

/** Those who may do what takes at least this role. */
export const rolesFrom = (least: Role): readonly Role[] => roles.slice(roles.indexOf(least))

export const reaches = (role: Role, least: Role): boolean => rolesFrom(least).includes(role)
