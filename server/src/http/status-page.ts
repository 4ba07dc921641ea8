import type { Availability } from '../services/availability.ts'

const percent = (share: number | null): string =>
  share === null ? 'not measured yet' : `${(share * 100).toFixed(3)} %`

/** The state of the service for people, without a script. */
export const renderStatus = ({
  measuredSince,
  lastDay,
  last30Days,
  last90Days,
}: Availability): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Status · Assay</title>
<style>
body { font-family: system-ui, sans-serif; line-height: 1.5; max-width: 36rem; margin: 4rem auto; padding: 0 1rem; color: #1a1d21; background: #fff }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; padding: .5rem 0; border-bottom: 1px solid #d7dbe0 }
td { text-align: right; font-variant-numeric: tabular-nums }
</style>
</head>
<body><main>
<h1>Status</h1>
<p role="status"><strong>The service is answering.</strong></p>
<table>
<caption>Availability: the share of minutes in which scans could be served</caption>
<tbody>
<tr><th scope="row">Last 24 hours</th><td>${percent(lastDay)}</td></tr>
<tr><th scope="row">Last 30 days</th><td>${percent(last30Days)}</td></tr>
<tr><th scope="row">Last 90 days</th><td>${percent(last90Days)}</td></tr>
</tbody>
</table>
<p>Measured ${measuredSince === null ? 'from now on' : `since ${measuredSince.slice(0, 10)}`}, every minute, by the service itself: a minute counts when a process of it could write to its
database. For programs: <a href="/api/v1/status">/api/v1/status</a>.</p>
</main></body>
</html>
`
