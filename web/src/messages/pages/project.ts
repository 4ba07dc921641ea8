/** Texts of `pages/project.tsx`. Texts with values are functions. */

export const project = {
  allProjects: 'All projects',
  findingsOverTime: (scans: number) => `Open against fixed, last ${scans} scans`,
  loadingProject: 'Loading the project',
  withoutDismissed: (score: number) => `, ${score} without the dismissed findings`,
  openLastScan: 'Open last scan',
  scoreOverTime: 'Score over time',
  noOpenFindings: 'No open findings.',
  mostSevere: ' most severe of ',
  allFindings: 'All open findings',
  needReview: (count: number) => `${count} more ${count === 1 ? 'needs' : 'need'} review`,
  runs: 'Runs',
  withoutBranch: 'without a branch',
  scansProject: 'Scans of this project',
}
