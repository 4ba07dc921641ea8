import { escapeHtml } from '../services/compose-mail.ts'

const names: Readonly<Record<string, string>> = {
  scanFindings: 'scans with critical or high findings',
  quotaUsage: 'the daily quota',
  keyExpiring: 'API keys about to expire',
  planChanged: 'changes of the plan',
  paymentFailed: 'failed payments',
  webhookDisabled: 'disabled webhooks',
}

/** Opening a link must not change anything: programs open links too. */
export const renderUnsubscribe = (kind: string): string =>
  page(`<p>Turn off mails about ${escapeHtml(names[kind] ?? kind)}?</p>
<form method="post"><button>Turn them off</button></form>`)

export const renderUnsubscribed = (kind: string): string =>
  page(`<p role="status">Mails about ${escapeHtml(names[kind] ?? kind)} are turned off.</p>`)

const page = (body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mail preferences · Assay</title>
<style>
body { font-family: system-ui, sans-serif; line-height: 1.5; max-width: 32rem; margin: 4rem auto; padding: 0 1rem; color: #1a1d21; background: #fff }
button { font: inherit; padding: .6rem 1.2rem; border-radius: .4rem; border: 1px solid #0b5d3b; background: #0b5d3b; color: #fff; cursor: pointer }
button:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px }
</style>
</head>
<body><main>
<h1>Mail preferences</h1>
${body}
</main></body>
</html>
`
