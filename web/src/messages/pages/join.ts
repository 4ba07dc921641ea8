/** Texts of `pages/join.tsx`. Texts with values are functions. */

export const join = {
  joinOrganization: 'Join an organization',
  join: (name: string) => `Join ${name}`,
  invited: (name: string, role: string) => `You are invited to ${name} as ${role === 'member' ? 'a' : 'an'} ${role}.`,
  logInAs: (email: string) => `Log in as ${email} to join.`,
  logEmailAddressReceived: 'Log in with the email address that received the invitation.',
  noAccountYet: 'No account yet?',
  withThatAddress: 'with that address to join.',
  yourRole: 'Your role is ',
  workIn: (name: string) => `Open ${name}`,
  youLoggedAs: 'You are logged in as ',
  invitationMustHaveBeen: '. The invitation must have been sent to this address.',
  sentTo: (email: string) => `, but the invitation was sent to ${email}. Log out and open the link again.`,
  tokenFromEmail: 'Token from the email',
}
