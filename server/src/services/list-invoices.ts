import { createBillingCustomerStore } from '../stores/billing-customers.ts'
import { type BillingDeps, unwrap } from './sync-subscription.ts'

/** The account's invoices as the provider has them, newest first. */
export async function listInvoices(deps: BillingDeps, accountId: string) {
  const customer = await createBillingCustomerStore(deps.db, deps.billing.name).find(accountId)
  if (!customer) return []
  const invoices = unwrap(deps, await deps.billing.listInvoices(customer.customer_id))
  return invoices.map(({ createdAt, paidAt, lines, ...invoice }) => ({
    ...invoice,
    createdAt: createdAt.toISOString(),
    paidAt: paidAt?.toISOString() ?? null,
    lines: lines.map(({ description, amountCents }) => ({ description, amountCents })),
  }))
}
