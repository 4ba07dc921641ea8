/** Texts of `pages/join.tsx`. Texts with values are functions. */

export const join = {
  joinOrganization: 'Join an organization',
  logEmailAddressReceived: 'Log in with the email address that received the invitation.',
  noAccountYet: 'No account yet?',
  withThatAddress: 'with that address to join.',
  yourRole: 'Your role is ',
  workIn: (name: string) => `Open ${name}`,
  youLoggedAs: 'You are logged in as ',
  invitationMustHaveBeen: '. The invitation must have been sent to this address.',
  tokenFromEmail: 'Token from the email',
}
