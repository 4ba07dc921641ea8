/** Texts of `organization/` and its pages, by the file that shows them. */

export const switcher = {
  account: (name: string) => `Account: ${name}. Switch`,
  personal: 'Personal',
  members: 'Members and settings',
  plan: 'Plan and billing',
  create: 'Create organization',
}

export const members = {
  title: 'Members',
  roleOf: (name: string) => `Role of ${name}`,
  publishesSource: (name: string) => `${name} may share source`,
  maySharesSource: 'May share source',
  transfer: 'Transfer ownership',
  transferTo: (name: string) => `Transfer ownership to ${name}?`,
  transferWords: (name: string) => `${name} becomes an owner and you become a member.`,
  removeWho: (name: string) => `Remove ${name}?`,
  leaveWhat: (name: string) => `Leave ${name}?`,
  leaveWords: 'You lose access to its projects. Links, webhooks and keys that you created for it are revoked.',
  removeWords: 'Access ends now. Choose what happens to what this member created.',
  links: 'Shared links',
  webhooks: 'Webhooks',
  keys: 'API keys',
  revoke: 'Revoke',
  keep: 'Keep, and make me the owner',
  revokeAll: 'Revoke every key of the organization',
  owner: 'Owner: everything, members and billing included',
  member: 'Member: scans and changes the status of findings',
  auditor: 'Auditor: reads',
}

export const invitations = {
  title: 'Invitations',
  sent: (email: string) => `Invitation sent to ${email}. It expires in 7 days.`,
  none: 'No open invitations.',
  expires: (date: string) => `expires ${date}`,
  withdraw: (email: string) => `Withdraw the invitation of ${email}`,
  onlyOwners: 'Only owners invite members.',
}

export const settings = {
  title: 'Settings',
  renamed: 'Name saved.',
  deleteTitle: 'Delete organization',
  deleteWords:
    'Its subscription ends, its keys stop working, and its scans, findings and webhooks are deleted permanently. Members get an email.',
  typeName: (name: string) => `Type ${name} to confirm`,
}

export const auditLog = {
  title: 'Audit log',
  none: 'No events yet.',
  loading: 'Loading the audit log…',
}

export const organizationPage = {
  none: 'You use your personal account',
  noneWords: 'An organization shares projects, findings, keys, webhooks and a plan with its members.',
  yourRole: (role: string) => `Your role: ${role}`,
  plan: (plan: string) => `${plan} plan`,
  createTitle: 'Create an organization',
  createLead: (limits: string) =>
    `Invite colleagues and share projects, findings, keys and one plan. A plan belongs to one account, so yours does not apply: the organization starts on the free plan (${limits}). Upgrade it under Plan.`,
  loadingMembers: 'Loading members…',
}
