import { toolsOf } from '../project/project.ts'
import { isScanned, type Outcome, type ProjectScan } from '../scan/outcome.ts'
import { totalsOf } from '../scan/totals.ts'
import { version } from '../version.ts'

/** Changes when a reader of the old shape would no longer understand the new one. */
export const resultSchema = 'urn:assay:scan:1'

/** The service's scan result for each file, with its path; a file without one has `error` instead. */
export function toJson(scan: ProjectScan): string {
  const { project, outcomes, missingImports, settings, refused, hiddenCount } = scan
  const document = {
    schema: resultSchema,
    tool: { name: 'Assay', version },
    project: project
      ? { kind: project.kind.toLowerCase(), tools: toolsOf(project).map((tool) => tool.toLowerCase()) }
      : null,
    totals: totalsOf(scan),
    missingImports,
    settings,
    hiddenFindings: hiddenCount,
    refused,
    files: outcomes.map(toEntry),
  }
  return `${JSON.stringify(document, null, 2)}\n`
}

const toEntry = (outcome: Outcome): object =>
  isScanned(outcome)
    ? { path: outcome.path, ...outcome.result }
    : { path: outcome.path, success: false, error: outcome.error }
