/** Texts of `pages/plan.tsx`. Texts with values are functions. */

export const plan = {
  loadingYourPlan: 'Loading your plan',
  usageByDay: 'Usage of the last 31 days',
  loadingUsage: 'Loading the usage',
  nothingUsed: 'No scans or requests yet.',
  requestsByKey: 'Requests by key',
  onlyOwners: 'Only owners change the plan and see the invoices.',
  youPlan: (plan: string) => `You are on the ${plan} plan.`,
  paymentFailedWeWill: 'Payment failed. We will retry; if it fails again, the account moves to the free plan on',
  limitsUsage: 'Limits and usage',
  scansMonth: 'Scans this billing month',
  requestsHour: 'Requests this hour',
  apiKeys: 'with API keys',
  yourPlanEndsUntil: (date: string) =>
    `Your plan ends on ${date}. Until then nothing changes; afterwards you are on free.`,
  yourPlanRenews: (date: string) => `Your plan renews on ${date}.`,
  staysActiveUntil: 'It stays active until ',
  thenYouFreeYou: '; then you are on free. You can resume any time before.',
  loadingPrice: 'Loading the price',
  creditRestYourCurrent: 'Credit for the rest of your current plan',
  payUpgrade: 'Pay and upgrade',
  goCheckout: 'Go to checkout',
  loadingYourInvoices: 'Loading your invoices',
  noInvoicesYet: 'No invoices yet.',
}
