import { escapeHtml } from '../services/compose-mail.ts'

/**
 * The frame of the pages that work without the dashboard and without a script. Colours and theme are the dashboard's own
 * files; where it has not been built, a page is plain and still works.
 */
export const renderPlainPage = (
  title: string,
  body: string,
  width: 'narrow' | 'wide' = 'narrow',
): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Assay</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/colors.css">
<script src="/theme.js"></script>
<style>${style}</style>
</head>
<body>
<header><a href="/"><img src="/favicon.svg" alt="" width="26" height="26">Assay</a></header>
<main class="${width}">
<h1>${escapeHtml(title)}</h1>
${body}
</main>
</body>
</html>
`

const style = `
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.5 ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; color: var(--ink); background: var(--page); -webkit-font-smoothing: antialiased }
header { display: flex; align-items: center; height: 3.25rem; padding: 0 1.5rem; border-bottom: 1px solid var(--line); background: var(--panel) }
header a { display: flex; align-items: center; gap: .5rem; color: var(--ink); font-weight: 600; text-decoration: none }
main { max-width: 30rem; margin: 3rem auto; padding: 1.5rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--panel) }
main.wide { max-width: 44rem }
main.wide td { padding-right: 1.5rem; text-align: left }
h2 { margin: 1.75rem 0 .5rem; font-size: 1.125rem }
@media (max-width: 32rem) { header { padding: 0 1rem } main { margin: 1.5rem 1rem } }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.3; font-weight: 600; letter-spacing: -.01em }
p { margin: .75rem 0 }
.soft, caption { color: var(--soft); font-size: .875rem }
a { color: var(--accent) }
table { width: 100%; margin: 1.25rem 0; border-collapse: collapse; font-size: .875rem }
caption { padding-bottom: .5rem; text-align: left }
th, td { padding: .5rem 0; border-bottom: 1px solid var(--line); text-align: left; font-weight: 400 }
th { padding-right: 1.5rem; color: var(--soft) }
td { text-align: right; font-variant-numeric: tabular-nums }
form { margin: .5rem 0 }
button, .button { display: block; width: 100%; min-height: 2.5rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--panel); color: var(--ink); font: inherit; font-size: .875rem; font-weight: 500; text-align: center; text-decoration: none; cursor: pointer }
button:hover, .button:hover { background: var(--sunken) }
button.primary, .button.primary { border-color: var(--accent); background: var(--accent); color: var(--accent-ink) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
