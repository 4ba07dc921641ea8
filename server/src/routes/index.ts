import acceptInvitation from './accept-invitation.ts'
import aiScan from './ai-scan.ts'
import cancelBatch from './cancel-batch.ts'
import cancelPlan from './cancel-plan.ts'
import changeAllowedOrigins from './change-allowed-origins.ts'
import changeApiKey from './change-api-key.ts'
import changeEmail from './change-email.ts'
import changeFinding from './change-finding.ts'
import changeMailPreferences from './change-mail-preferences.ts'
import changeMe from './change-me.ts'
import changeMember from './change-member.ts'
import changeOrganisation from './change-organisation.ts'
import changePassword from './change-password.ts'
import changeProject from './change-project.ts'
import changeWebhook from './change-webhook.ts'
import completeLogin from './complete-login.ts'
import completeSignIn from './complete-sign-in.ts'
import confirmEmail from './confirm-email.ts'
import confirmTotp from './confirm-totp.ts'
import createBatch from './create-batch.ts'
import createInvitation from './create-invitation.ts'
import createOrganisation from './create-organisation.ts'
import createShareLink from './create-share-link.ts'
import createWebhook from './create-webhook.ts'
import deleteAccount from './delete-account.ts'
import deleteOrganisation from './delete-organisation.ts'
import deleteScan from './delete-scan.ts'
import deleteSession from './delete-session.ts'
import deleteSessions from './delete-sessions.ts'
import deleteWebhook from './delete-webhook.ts'
import devMail from './dev-mail.ts'
import enrolPasskey from './enrol-passkey.ts'
import enrolTotp from './enrol-totp.ts'
import exportAccount from './export-account.ts'
import followScan from './follow-scan.ts'
import forgotPassword from './forgot-password.ts'
import generateApiKey from './generate-api-key.ts'
import getAiReport from './get-ai-report.ts'
import getAllowedOrigins from './get-allowed-origins.ts'
import getBatch from './get-batch.ts'
import getFinding from './get-finding.ts'
import getFoundryTest from './get-foundry-test.ts'
import getHealth from './get-health.ts'
import getMailPreferences from './get-mail-preferences.ts'
import getMe from './get-me.ts'
import getMetrics from './get-metrics.ts'
import getProblem from './get-problem.ts'
import getProject from './get-project.ts'
import getReady from './get-ready.ts'
import getScan from './get-scan.ts'
import getScanFixes from './get-scan-fixes.ts'
import getScanReport from './get-scan-report.ts'
import getScanSource from './get-scan-source.ts'
import getSecurityLog from './get-security-log.ts'
import getSharedBadge from './get-shared-badge.ts'
import getSharedScan from './get-shared-scan.ts'
import getSharedSource from './get-shared-source.ts'
import getStatus from './get-status.ts'
import getUsage from './get-usage.ts'
import getUserPlan from './get-user-plan.ts'
import getWebhook from './get-webhook.ts'
import legacyScan from './legacy-scan.ts'
import listApiKeys from './list-api-keys.ts'
import listDetectors from './list-detectors.ts'
import listFindings from './list-findings.ts'
import listInvitations from './list-invitations.ts'
import listInvoices from './list-invoices.ts'
import listMembers from './list-members.ts'
import listOrganisations from './list-organisations.ts'
import listProjects from './list-projects.ts'
import listScanFindings from './list-scan-findings.ts'
import listScans from './list-scans.ts'
import listSecondFactors from './list-second-factors.ts'
import listSessions from './list-sessions.ts'
import listShareLinks from './list-share-links.ts'
import listWebhookDeliveries from './list-webhook-deliveries.ts'
import listWebhooks from './list-webhooks.ts'
import login from './login.ts'
import loginWithPasskey from './login-with-passkey.ts'
import logout from './logout.ts'
import previewUpgrade from './preview-upgrade.ts'
import readInvitation from './read-invitation.ts'
import receiveBillingEvent from './receive-billing-event.ts'
import redeliverDelivery from './redeliver-delivery.ts'
import redeliverWebhook from './redeliver-webhook.ts'
import register from './register.ts'
import removeMember from './remove-member.ts'
import removeSecondFactor from './remove-second-factor.ts'
import renewRecoveryCodes from './renew-recovery-codes.ts'
import resendOtp from './resend-otp.ts'
import resetPassword from './reset-password.ts'
import resumePlan from './resume-plan.ts'
import revokeApiKey from './revoke-api-key.ts'
import revokeShareLink from './revoke-share-link.ts'
import rotateApiKey from './rotate-api-key.ts'
import rotateWebhookSecret from './rotate-webhook-secret.ts'
import scan from './scan.ts'
import scanAddress from './scan-address.ts'
import scanRepository from './scan-repository.ts'
import scanSources from './scan-sources.ts'
import setSandboxCard from './set-sandbox-card.ts'
import settleSandboxCheckout from './settle-sandbox-checkout.ts'
import showSandboxCheckout from './show-sandbox-checkout.ts'
import showStatus from './show-status.ts'
import showUnsubscribe from './show-unsubscribe.ts'
import startPasskey from './start-passkey.ts'
import startPasskeyLogin from './start-passkey-login.ts'
import startSignIn from './start-sign-in.ts'
import testWebhook from './test-webhook.ts'
import unsubscribe from './unsubscribe.ts'
import upgradePlan from './upgrade-plan.ts'
import verifyEmail from './verify-email.ts'
import withdrawInvitation from './withdraw-invitation.ts'

/** Every route of the service, in the order the references show them. */
export const routes = [
  register,
  verifyEmail,
  resendOtp,
  login,
  completeLogin,
  startPasskeyLogin,
  loginWithPasskey,
  startSignIn,
  completeSignIn,
  logout,
  getMe,
  changeMe,
  changePassword,
  changeEmail,
  confirmEmail,
  exportAccount,
  deleteAccount,
  forgotPassword,
  resetPassword,
  listSessions,
  deleteSession,
  deleteSessions,
  listSecondFactors,
  enrolTotp,
  confirmTotp,
  startPasskey,
  enrolPasskey,
  removeSecondFactor,
  renewRecoveryCodes,
  getSecurityLog,
  getMailPreferences,
  changeMailPreferences,
  showUnsubscribe,
  unsubscribe,

  generateApiKey,
  listApiKeys,
  changeApiKey,
  revokeApiKey,
  rotateApiKey,
  getAllowedOrigins,
  changeAllowedOrigins,

  scan,
  scanSources,
  scanAddress,
  scanRepository,
  aiScan,
  createBatch,
  legacyScan,

  listScans,
  getScan,
  followScan,
  listScanFindings,
  getScanSource,
  getScanFixes,
  getFoundryTest,
  getScanReport,
  deleteScan,
  getBatch,
  cancelBatch,
  getAiReport,

  createShareLink,
  listShareLinks,
  revokeShareLink,
  getSharedScan,
  getSharedSource,
  getSharedBadge,

  listFindings,
  getFinding,
  changeFinding,
  listProjects,
  getProject,
  changeProject,

  createOrganisation,
  listOrganisations,
  changeOrganisation,
  deleteOrganisation,
  listMembers,
  changeMember,
  removeMember,
  createInvitation,
  listInvitations,
  withdrawInvitation,
  readInvitation,
  acceptInvitation,

  getUserPlan,
  getUsage,
  upgradePlan,
  previewUpgrade,
  cancelPlan,
  resumePlan,
  listInvoices,
  receiveBillingEvent,
  showSandboxCheckout,
  settleSandboxCheckout,
  setSandboxCard,

  createWebhook,
  listWebhooks,
  getWebhook,
  changeWebhook,
  deleteWebhook,
  rotateWebhookSecret,
  testWebhook,
  listWebhookDeliveries,
  redeliverWebhook,
  redeliverDelivery,

  listDetectors,

  getHealth,
  getReady,
  getStatus,
  showStatus,
  getMetrics,
  getProblem,
  devMail,
] as const

/** What a worker answers. */
export const workerRoutes = [getHealth, getReady, getMetrics] as const
