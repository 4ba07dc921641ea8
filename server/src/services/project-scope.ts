import type { Submission } from '../core/sources/collect-sources.ts'
import type { Db } from '../stores/database.ts'
import { createProjectStore } from '../stores/projects.ts'
import type { ProjectTable } from '../stores/schema.ts'

/** What of the uploads of a project is reported, and how its imports are found. */
export interface ProjectScope {
  /** Folders and files that are read for meaning only. */
  readonly exclude: readonly string[]
  /** Before those of an upload. */
  readonly remappings: readonly string[]
}

export const scopeOf = ({ scope }: Pick<ProjectTable, 'scope'>): ProjectScope | null =>
  scope === null ? null : (JSON.parse(scope) as ProjectScope)

/** Null: everything is as the upload says. */
export async function readScope(
  { db }: { readonly db: Db },
  accountId: string,
  { isProject, labels }: Pick<Submission, 'isProject' | 'labels'>,
): Promise<ProjectScope | null> {
  if (!isProject || labels.project === undefined) return null
  const project = await createProjectStore(db).find(accountId, labels.project)
  return project ? scopeOf(project) : null
}

/** Null where nothing is left of it. */
export function toScope({ exclude, remappings }: ProjectScope): ProjectScope | null {
  const folders = unique(exclude.map((path) => path.replaceAll('\\', '/').replace(/^(?:\.?\/)+|\/+$/g, '')))
  const scope = { exclude: folders.filter(Boolean), remappings: unique(remappings) }
  return scope.exclude.length + scope.remappings.length > 0 ? scope : null
}

const unique = (words: readonly string[]): string[] => [...new Set(words)]

/** Of these paths those whose findings are reported. A scope that leaves nothing would be a mistake: then it excludes nothing. */
export function withinScope(paths: readonly string[], scope: ProjectScope | null): readonly string[] {
  const isExcluded = (path: string): boolean =>
    (scope?.exclude ?? []).some((part) => path === part || path.startsWith(`${part}/`))
  const kept = paths.filter((path) => !isExcluded(path))
  return kept.length > 0 ? kept : paths
}
