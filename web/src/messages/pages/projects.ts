/** Texts of `pages/projects.tsx`. Texts with values are functions. */

export const projects = {
  /** The severe ones decide, so they come first. */
  found: (count: number, { critical, high }: { critical: number; high: number }) =>
    [
      ...(critical > 0 ? [`${critical} critical`] : []),
      ...(high > 0 ? [`${high} high`] : []),
      count === 1 ? '1 finding' : `${count} findings`,
    ].join(' · '),
  orders: {
    latest: 'Last scanned first',
    oldest: 'Longest not scanned first',
    score: 'Lowest score first',
    name: 'By name',
  },
  scanProject: 'Scan a project',
  loadingYourProjects: 'Loading your projects',
  nameProjectWhenYou: 'Name a project when you scan: its findings are followed from scan to scan.',
  searchProjectName: 'Search by project name',
  noProjectMatches: 'No project matches.',
  count: (shown: number, total: number) => `${shown} of ${total} projects`,
  onlyTag: (tag: string) => `Only projects tagged ${tag}`,
  allTags: (tag: string) => `Remove the filter ${tag}`,
  showMoreProjects: 'Show more projects',
}
