import { escapeHtml } from '../services/compose-mail.ts'

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
  if (!isOpen) return renderOutcome('This checkout was already used or has expired.', returnUrl)
  return page(`
<h1>Sandbox checkout</h1>
<p>Nothing is charged here. This page stands in for a bank.</p>
<table>
<tr><th scope="row">Plan</th><td>${escapeHtml(plan)}</td></tr>
<tr><th scope="row">Price</th><td>${dollars(priceCents)} a month</td></tr>
<tr><th scope="row">Proration</th><td>none: a full month starts now</td></tr>
<tr><th scope="row">Due now</th><td><strong>${dollars(priceCents)}</strong></td></tr>
</table>
<form method="post"><input type="hidden" name="outcome" value="paid"><button class="primary" id="pay">Pay ${dollars(priceCents)}</button></form>
<form method="post"><input type="hidden" name="outcome" value="declined"><button id="decline">Let the card be declined</button></form>`)
}

export const renderOutcome = (message: string, returnUrl: string): string =>
  page(`
<h1>Sandbox checkout</h1>
<p role="status">${escapeHtml(message)}</p>
<p><a href="${escapeHtml(returnUrl)}">Back to your plan</a></p>`)

const page = (body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sandbox checkout · Assay</title>
<style>
body { font-family: system-ui, sans-serif; line-height: 1.5; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; color: #1a1d21; background: #fff }
th { text-align: left; padding-right: 2rem; font-weight: 500 }
table { margin: 1.5rem 0; border-spacing: 0 .4rem }
button { font: inherit; padding: .6rem 1.2rem; margin: .3rem 0; border-radius: .4rem; border: 1px solid #6b7280; background: #fff; color: #1a1d21; cursor: pointer; width: 100% }
button.primary { background: #0b5d3b; border-color: #0b5d3b; color: #fff }
button:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px }
</style>
</head>
<body><main>${body}
</main></body>
</html>
`
