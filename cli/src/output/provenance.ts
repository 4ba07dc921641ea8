import { basename } from 'node:path'
import type { Provenance } from '@assay/engine'
import type { ProjectScan } from '../scan/outcome.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Which code was scanned, from what the pipeline says: nothing in the scanned folder is read, and no program is run. */
export function provenanceOf({ project }: Pick<ProjectScan, 'project'>, environment: Environment): Provenance {
  const repository = repositoryIn(environment)
  const commit = environment.GITHUB_SHA ?? environment.CI_COMMIT_SHA ?? environment.BUILD_SOURCEVERSION
  const ref = environment.GITHUB_REF_NAME ?? environment.CI_COMMIT_REF_NAME ?? environment.BUILD_SOURCEBRANCHNAME
  return {
    project: project ? basename(project.root) : 'files',
    ...(repository ? { repository } : {}),
    ...(commit ? { commit } : {}),
    ...(ref ? { ref } : {}),
  }
}

const repositoryIn = ({ GITHUB_SERVER_URL, GITHUB_REPOSITORY, ...rest }: Environment): string | undefined =>
  GITHUB_SERVER_URL && GITHUB_REPOSITORY
    ? `${GITHUB_SERVER_URL}/${GITHUB_REPOSITORY}`
    : (rest.CI_PROJECT_URL ?? rest.BUILD_REPOSITORY_URI)
