import { status as texts } from '../messages/pages.ts'
import type { Availability } from '../services/availability.ts'
import { renderPlainPage } from './plain-page.ts'

const percent = (share: number | null): string => (share === null ? texts.notMeasured : `${(share * 100).toFixed(3)} %`)

/** The state of the service for people, without a script. */
export const renderStatus = ({ measuredSince, lastDay, last30Days, last90Days }: Availability): string =>
  renderPlainPage(
    texts.title,
    `<p role="status"><strong>${texts.isUp}</strong></p>
<table>
<caption>${texts.availability}</caption>
<tbody>
<tr><th scope="row">${texts.lastDay}</th><td>${percent(lastDay)}</td></tr>
<tr><th scope="row">${texts.last30Days}</th><td>${percent(last30Days)}</td></tr>
<tr><th scope="row">${texts.last90Days}</th><td>${percent(last90Days)}</td></tr>
</tbody>
</table>
<p class="soft">${texts.measured(measuredSince)} API: <a href="/api/v1/status">/api/v1/status</a>.</p>`,
  )
