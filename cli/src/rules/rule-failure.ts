import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '@assay/engine'
import { ruleFailure as texts } from '../messages/rules.ts'

/** What a rule threw: its message, and the lines of the stack that are in the rule's own files. */
export interface RuleFailure {
  readonly message: string
  readonly frames: readonly string[]
}

const maxFrames = 5

export function toRuleFailure(cause: unknown, locations: readonly string[], folder: string): RuleFailure {
  if (!(cause instanceof Error)) return { message: String(cause), frames: [] }
  const frames = [...(cause.stack ?? '').matchAll(/(file:\/\/[^\s)]+?|\/[^\s():]+):(\d+):(\d+)/g)].flatMap(
    ([, file = '', line, column]) => {
      const path = file.startsWith('file:') ? fileURLToPath(file.replace(/\?.*$/, '')) : file
      const isOwn = locations.some((location) => path === location)
      return isOwn ? [`${relative(folder, path) || path}:${line}:${column}`] : []
    },
  )
  return { message: `${cause.name}: ${cause.message}`, frames: [...new Set(frames)].slice(0, maxFrames) }
}

export const failureWords = (id: string, { message, frames }: RuleFailure): string =>
  texts.ruleFailed(id, message, frames.length > 0 ? texts.at(frames.join(', ')) : '')

/** The report with what a rule threw, instead of the bare fact that it could not finish. */
export const explainFailures = (report: Report, failures: ReadonlyMap<string, RuleFailure>): Report => ({
  ...report,
  diagnostics: report.diagnostics.map((diagnostic) => {
    const failed = [...failures].find(([id]) => diagnostic.message.includes(` ${id} `))
    return diagnostic.code === 'detector-failed' && failed
      ? { ...diagnostic, message: failureWords(...failed) }
      : diagnostic
  }),
})
