/** Texts of the page of all findings. */

export const findings = {
  title: 'Findings',
  lead: 'Findings of all projects, with their status.',
  loading: 'Loading findings…',
  none: 'No findings match.',
  noneYet: 'Scans with a project name appear here.',
  count: (shown: number, total: number) => `${shown} of ${total} findings`,
  more: 'Show more',
  exportCsv: 'Export CSV',
  exporting: 'Exporting…',
  overview: 'Overview',
  openCritical: 'Open critical',
  openHigh: 'Open high',
  newThisWeek: 'New this week',
  oldest: 'oldest',
  stale: 'Projects not scanned for 30 days',
  all: 'All',
  noProject: 'No project',
  sorts: {
    severity: 'Most severe first',
    firstSeenAt: 'Oldest first',
    '-firstSeenAt': 'Newest first',
    '-lastSeenAt': 'Last seen first',
  },
}
