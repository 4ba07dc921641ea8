import { escapeHtml } from '../services/compose-mail.ts'
import { renderPlainPage } from './plain-page.ts'

interface Checkout {
  readonly plan: string
  readonly priceCents: number
  readonly isOpen: boolean
  readonly outcome: string | null
  readonly returnUrl: string
}

const title = 'Sandbox checkout'

const dollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`

/** Two plain forms: the page works without any script. */
export function renderCheckout({ plan, priceCents, isOpen, returnUrl }: Checkout): string {
  if (!isOpen) return renderOutcome('This checkout was already used or has expired.', returnUrl)
  return renderPlainPage(
    title,
    `<p class="soft">Nothing is charged here. This page stands in for a bank.</p>
<table>
<tr><th scope="row">Plan</th><td>${escapeHtml(plan)}</td></tr>
<tr><th scope="row">Price</th><td>${dollars(priceCents)} a month</td></tr>
<tr><th scope="row">Proration</th><td>none: a full month starts now</td></tr>
<tr><th scope="row">Due now</th><td><strong>${dollars(priceCents)}</strong></td></tr>
</table>
<form method="post"><input type="hidden" name="outcome" value="paid"><button class="primary" id="pay">Pay ${dollars(priceCents)}</button></form>
<form method="post"><input type="hidden" name="outcome" value="declined"><button id="decline">Let the card be declined</button></form>`,
  )
}

export const renderOutcome = (message: string, returnUrl: string): string =>
  renderPlainPage(
    title,
    `<p role="status">${escapeHtml(message)}</p>
<p><a class="button primary" href="${escapeHtml(returnUrl)}">Back to your plan</a></p>`,
  )
