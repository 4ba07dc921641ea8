import type { HtmlOptions } from '@assay/engine'
import { toHtml, toMarkdown } from '@assay/engine/results'
import type { Io } from '../io.ts'
import { render as texts } from '../messages/output.ts'
import { isScanned, type ProjectScan, type Shown } from '../scan/outcome.ts'
import { toGithub } from './github.ts'
import { toGithubSummary } from './github-summary.ts'
import { toGitlab } from './gitlab.ts'
import { folderInCheckout } from './in-checkout.ts'
import { toJson } from './json.ts'
import { toJunit } from './junit.ts'
import { chooseLink } from './link.ts'
import { choosePaint } from './paint.ts'
import { safeHtml, safeJson, safeText } from './pipeline-safe.ts'
import { provenanceOf } from './provenance.ts'
import { scanNotes } from './scan-notes.ts'
import { toText } from './text.ts'

export const formats = [
  'text',
  'json',
  'sarif',
  'markdown',
  'html',
  'gitlab',
  'junit',
  'github',
  'github-summary',
] as const
export type Format = (typeof formats)[number]

export interface RenderOptions {
  readonly color: string
  readonly quiet: boolean
  readonly details: boolean
  readonly groupBy: 'kind' | 'file'
  readonly limit: number
  /** Whether a finding fails the run; default: all do. */
  readonly fails?: ((finding: Shown) => boolean) | undefined
  /** Where the pages of the detectors are, for links to them. */
  readonly pages?: string | undefined
  /** Whether it goes to a file, which has no colours and no width. */
  readonly isFile: boolean
}

const maxColumns = 110

/** The outcome of a scan in the format requested. */
export async function render(scan: ProjectScan, format: Format, options: RenderOptions, io: Io): Promise<string> {
  const results = scan.outcomes.filter(isScanned).map(({ result }) => result)
  const settings = scanNotes(scan)
  const notScanned = scan.outcomes.flatMap((outcome) => (isScanned(outcome) ? [] : [outcome]))
  switch (format) {
    case 'json':
      return safeJson(toJson(scan))
    case 'sarif':
      return safeJson(await (await import('./sarif.ts')).renderSarif(scan, io, options.pages))
    case 'gitlab':
      return safeJson(toGitlab(scan))
    case 'markdown':
      return safeText(toMarkdown(results, { notScanned, settings }))
    case 'html':
      return safeHtml(toHtml(results, { notScanned, settings, ...headOf(scan, io) }))
    case 'junit':
      return safeHtml(toJunit(scan, options.fails))
    case 'github':
      return toGithub(scan, folderInCheckout(io))
    case 'github-summary':
      return safeText(toGithubSummary(scan))
    default:
      return safeText(
        toText(scan, {
          paint: choosePaint(options.isFile ? 'never' : options.color, io),
          link: options.isFile ? (shown) => shown : chooseLink(io),
          columns: Math.min(options.isFile ? maxColumns : io.out.columns, maxColumns),
          isQuiet: options.quiet,
          isDetailed: options.details,
          groupBy: options.groupBy,
          limit: options.limit,
        }),
      )
  }
}

/** What was scanned, and when: a page outlives the folder that it lies in. */
function headOf(scan: ProjectScan, io: Io): Pick<HtmlOptions, 'title' | 'revision' | 'scannedAt'> {
  const { project, commit, ref } = provenanceOf(scan, io.environment)
  const revision = [ref, commit].filter(Boolean).join(' ')
  return {
    title: texts.securityReport(project ?? 'files'),
    scannedAt: new Date().toISOString().slice(0, 10),
    ...(revision === '' ? {} : { revision }),
  }
}
