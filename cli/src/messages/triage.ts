/** Texts of `triage/`, by the file that shows them. Texts with values are functions. */

export const gitCommit = {
  mustNameCommit: (shown: string) => `${shown}: it must name a commit.`,
  notGitRepository: (shown: string) => `${shown}: this is not a git repository.`,
  gitNamesRepositoryOutside: (shown: string, home: string) =>
    `${shown}: .git names a repository outside of the project, ${home}.`,
  needsGitWhichNot: 'it needs git, which is not installed',
  thereNoSuchCommit: 'there is no such commit',
}

export const knownFindings = {
  baselineNeitherTriageFile: (path: string) =>
    `--baseline ${path}: neither a triage file nor a result of \`assay scan --format json\` or \`--format sarif\`.`,
  baselineLeadsOutsideProject: (path: string) => `--baseline ${path}: it leads outside of the project.`,
  notJson: 'it is not JSON',
}
