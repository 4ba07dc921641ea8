import { checkout as texts } from '../messages/pages.ts'
import { escapeHtml } from '../services/compose-mail.ts'
import { renderPlainPage } from './plain-page.ts'

interface Checkout {
  readonly plan: string
  readonly priceCents: number
  readonly isOpen: boolean
  readonly outcome: string | null
  readonly returnUrl: string
}

const dollars = (cents: number): string => `${(cents / 100).toFixed(2)} USD`

/** Two plain forms: the page works without any script. */
export function renderCheckout({ plan, priceCents, isOpen, returnUrl }: Checkout): string {
  if (!isOpen) return renderOutcome(texts.alreadyUsed, returnUrl)
  const amount = dollars(priceCents)
  return renderPlainPage(
    texts.title,
    `<p class="soft">${texts.nothingCharged}</p>
<table>
<tr><th scope="row">${texts.plan}</th><td>${escapeHtml(plan)}</td></tr>
<tr><th scope="row">${texts.price}</th><td>${texts.perMonth(amount)}</td></tr>
<tr><th scope="row">${texts.proration}</th><td>${texts.noProration}</td></tr>
<tr><th scope="row">${texts.due}</th><td><strong>${amount}</strong></td></tr>
</table>
<form method="post"><input type="hidden" name="outcome" value="paid"><button class="primary" id="pay">${texts.pay(amount)}</button></form>
<form method="post"><input type="hidden" name="outcome" value="declined"><button id="decline">${texts.decline}</button></form>`,
  )
}

export const renderOutcome = (message: string, returnUrl: string): string =>
  renderPlainPage(
    texts.title,
    `<p role="status">${escapeHtml(message)}</p>
<p><a class="button primary" href="${escapeHtml(returnUrl)}">${texts.back}</a></p>`,
  )
