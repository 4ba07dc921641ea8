import type { Availability } from '../services/availability.ts'
import { renderPlainPage } from './plain-page.ts'

const percent = (share: number | null): string =>
  share === null ? 'not measured yet' : `${(share * 100).toFixed(3)} %`

/** The state of the service for people, without a script. */
export const renderStatus = ({ measuredSince, lastDay, last30Days, last90Days }: Availability): string =>
  renderPlainPage(
    'Status',
    `<p role="status"><strong>The service is answering.</strong></p>
<table>
<caption>Availability: the share of minutes in which scans could be served</caption>
<tbody>
<tr><th scope="row">Last 24 hours</th><td>${percent(lastDay)}</td></tr>
<tr><th scope="row">Last 30 days</th><td>${percent(last30Days)}</td></tr>
<tr><th scope="row">Last 90 days</th><td>${percent(last90Days)}</td></tr>
</tbody>
</table>
<p class="soft">Measured ${measuredSince === null ? 'from now on' : `since ${measuredSince.slice(0, 10)}`}, every minute, by the service itself: a minute counts when a process of it could write to its
database. For programs: <a href="/api/v1/status">/api/v1/status</a>.</p>`,
  )
