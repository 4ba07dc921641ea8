import type { Route } from './define-route.ts'

/**
 * What clients call each operation: resource and verb. OpenAPI's operation ids and the methods of `@assay/client` come from here.
 * Null: nothing that a client calls (probes, the billing provider's own events, an older form of another operation).
 */
const operationNames: Readonly<Record<string, `${string}.${string}` | null>> = {
  'POST /api/register': 'account.register',
  'POST /api/verify-email': 'account.verifyEmail',
  'POST /api/resend-otp': 'account.resendCode',
  'POST /api/login': 'account.logIn',
  'POST /api/login/second-factor': 'account.completeLogIn',
  'POST /api/login/passkey-options': 'account.startPasskeyLogIn',
  'POST /api/login/passkey': 'account.logInWithPasskey',
  'POST /api/login/provider': 'account.startProviderLogIn',
  'POST /api/login/provider/complete': 'account.completeProviderLogIn',
  'POST /api/logout': 'account.logOut',
  'GET /api/me': 'account.get',
  'PATCH /api/me': 'account.update',
  'POST /api/v1/account/password': 'account.changePassword',
  'POST /api/v1/account/email': 'account.changeEmail',
  'POST /api/v1/account/email/confirm': 'account.confirmEmail',
  'POST /api/v1/account/export': 'account.export',
  'POST /api/v1/account/delete': 'account.delete',
  'POST /api/forgot-password': 'account.forgotPassword',
  'POST /api/reset-password': 'account.resetPassword',
  'GET /api/v1/security-log': 'account.securityLog',
  'GET /api/v1/sessions': 'sessions.list',
  'DELETE /api/v1/sessions': 'sessions.deleteAll',
  'DELETE /api/v1/sessions/{id}': 'sessions.delete',
  'GET /api/v1/second-factors': 'secondFactors.list',
  'POST /api/v1/second-factors/totp': 'secondFactors.createTotp',
  'POST /api/v1/second-factors/{id}/confirm': 'secondFactors.confirm',
  'POST /api/v1/second-factors/passkey-options': 'secondFactors.startPasskey',
  'POST /api/v1/second-factors/passkey': 'secondFactors.createPasskey',
  'POST /api/v1/second-factors/{id}/remove': 'secondFactors.delete',
  'POST /api/v1/recovery-codes': 'secondFactors.renewRecoveryCodes',
  'GET /api/v1/mail-preferences': 'mailPreferences.get',
  'PATCH /api/v1/mail-preferences': 'mailPreferences.update',

  'POST /api/generate-api-key': 'keys.create',
  'GET /api/v1/user-api-keys': 'keys.list',
  'PATCH /api/v1/user-api-keys/{id}': 'keys.update',
  'DELETE /api/v1/user-api-keys/{id}': 'keys.revoke',
  'POST /api/v1/user-api-keys/{id}/rotate': 'keys.rotate',
  'GET /api/v1/allowed-origins': 'allowedOrigins.get',
  'PATCH /api/v1/allowed-origins': 'allowedOrigins.update',

  'POST /api/v1/scan': 'scans.create',
  'POST /api/v1/scan/sources': 'scans.createFromSources',
  'POST /api/v1/scan/address': 'scans.createFromAddress',
  'POST /api/v1/scan/repository': 'scans.createFromRepository',
  'POST /api/v1/ai-scan': 'scans.createWithAi',
  'POST /scan': null,
  'GET /api/v1/scans': 'scans.list',
  'GET /api/v1/scans/{scanId}': 'scans.get',
  'DELETE /api/v1/scans/{scanId}': 'scans.delete',
  'GET /api/v1/scans/{scanId}/events': null,
  'GET /api/v1/scans/{scanId}/findings': 'scans.findings',
  'GET /api/v1/scans/{scanId}/source': 'scans.source',
  'GET /api/v1/scans/{scanId}/fixes': 'scans.fixes',
  'GET /api/v1/scans/{scanId}/tests/{fingerprint}': 'scans.foundryTest',
  'GET /api/v1/scans/{scanId}/report': 'scans.report',
  'GET /api/v1/reports/{outputFile}': 'scans.aiReport',
  'POST /api/v1/scans/batch': 'batches.create',
  'GET /api/v1/scans/batch/{batchId}': 'batches.get',
  'DELETE /api/v1/scans/batch/{batchId}': 'batches.cancel',

  'POST /api/v1/scans/{scanId}/links': 'links.create',
  'GET /api/v1/links': 'links.list',
  'DELETE /api/v1/links/{id}': 'links.revoke',
  'GET /api/v1/shared/{token}': 'shared.get',
  'GET /api/v1/shared/{token}/source': 'shared.source',
  'GET /api/v1/shared/{token}/badge.svg': 'shared.badge',

  'GET /api/v1/findings': 'findings.list',
  'GET /api/v1/findings/{id}': 'findings.get',
  'PATCH /api/v1/findings/{id}': 'findings.update',
  'GET /api/v1/projects': 'projects.list',
  'GET /api/v1/projects/{id}': 'projects.get',
  'PATCH /api/v1/projects/{id}': 'projects.update',

  'POST /api/v1/organisations': 'organisations.create',
  'GET /api/v1/organisations': 'organisations.list',
  'GET /api/v1/organisations/{organisationId}': 'organisations.get',
  'PATCH /api/v1/organisations/{organisationId}': 'organisations.update',
  'DELETE /api/v1/organisations/{organisationId}': 'organisations.delete',
  'GET /api/v1/organisations/{organisationId}/members': 'organisations.members',
  'PATCH /api/v1/organisations/{organisationId}/members/{memberId}': 'organisations.updateMember',
  'DELETE /api/v1/organisations/{organisationId}/members/{memberId}': 'organisations.removeMember',
  'POST /api/v1/organisations/{organisationId}/invitations': 'organisations.invite',
  'GET /api/v1/organisations/{organisationId}/invitations': 'organisations.invitations',
  'DELETE /api/v1/organisations/{organisationId}/invitations/{invitationId}': 'organisations.withdrawInvitation',
  'POST /api/v1/invitations/read': 'organisations.readInvitation',
  'POST /api/v1/invitations/accept': 'organisations.acceptInvitation',

  'GET /api/v1/user-plan': 'plan.get',
  'GET /api/v1/usage': 'plan.usage',
  'POST /api/upgrade-plan': 'plan.upgrade',
  'GET /api/v1/upgrade-preview': 'plan.previewUpgrade',
  'POST /api/v1/cancel-plan': 'plan.cancel',
  'POST /api/v1/resume-plan': 'plan.resume',
  'GET /api/v1/invoices': 'plan.invoices',
  'POST /api/billing/webhook': null,

  'POST /api/v1/webhooks': 'webhooks.create',
  'GET /api/v1/webhooks': 'webhooks.list',
  'GET /api/v1/webhooks/{id}': 'webhooks.get',
  'PATCH /api/v1/webhooks/{id}': 'webhooks.update',
  'DELETE /api/v1/webhooks/{id}': 'webhooks.delete',
  'POST /api/v1/webhooks/{id}/rotate-secret': 'webhooks.rotateSecret',
  'POST /api/v1/webhooks/{id}/test': 'webhooks.test',
  'GET /api/v1/webhooks/{id}/deliveries': 'webhooks.deliveries',
  'POST /api/v1/webhooks/{id}/deliveries/{deliveryId}/redeliver': 'webhooks.redeliver',
  'POST /api/v1/webhooks/deliveries/{deliveryId}/redeliver': null,

  'GET /api/v1/detectors': 'detectors.list',
  'GET /health': null,
  'GET /ready': null,
  'GET /metrics': null,
  'GET /problems/{name}': null,
  'GET /api/v1/status': 'service.status',
}

type Named = Pick<Route, 'method' | 'url'>

const operationOf = ({ method, url }: Named): string => `${method} ${url.replace(/:(\w+)/g, '{$1}')}`

/** `scans.create`; null where clients have no method for it, undefined where nobody has decided yet. */
export const operationName = (route: Named): `${string}.${string}` | null | undefined =>
  operationNames[operationOf(route)]

/** `scans.create` → `scansCreate`; what has no such name is called after its path: `POST /scan` → `postScan`. */
export function operationId(route: Named): string {
  const name = operationName(route)
  const words = name
    ? name.split('.')
    : [
        route.method.toLowerCase(),
        ...route.url
          .replace(/^\/api(\/v1)?\//, '')
          .replace(/:(\w+)/g, 'by-$1')
          .split(/[^0-9A-Za-z]+/),
      ]
  return words
    .filter(Boolean)
    .map((word, index) => (index === 0 ? word : word[0]!.toUpperCase() + word.slice(1)))
    .join('')
}
