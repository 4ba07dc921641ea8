import { scan, scanFiles, toProjectResult, toScanResult } from '@assay/engine'
import { worker as texts } from '../messages/playground.ts'
import { type DefinitionQuestion, type FoundDefinition, findDefinitions } from './find-definition.ts'
import { type FixQuestion, type FoundFix, findFix } from './find-fix.ts'

export type PlaygroundAnswer = { ok: true; result: ReturnType<typeof toScanResult> } | { ok: false; error: string }
export type FixAnswer = { ok: true; result: FoundFix | null }
export type DefinitionAnswer = { ok: true; result: readonly FoundDefinition[] }

/** One contract as its text, or the files of a project. */
export type PlaygroundQuestion = string | readonly { path: string; text: string }[]

addEventListener('message', (event: MessageEvent<PlaygroundQuestion | FixQuestion | DefinitionQuestion>) => {
  const { data } = event
  if (typeof data === 'string') postMessage(answer(data))
  else if ('finding' in data) postMessage({ ok: true, result: findFix(data) } satisfies FixAnswer)
  else if ('at' in data && 'files' in data)
    postMessage({ ok: true, result: findDefinitions(data) } satisfies DefinitionAnswer)
  else postMessage(answerProject(data))
})

function answer(source: string): PlaygroundAnswer {
  const report = scan(source, { path: 'playground.sol' })
  if (report.unreadable) {
    const { line, reason } = report.unreadable
    return { ok: false, error: texts.fileNotValidSolidity(line, reason) }
  }
  return { ok: true, result: toScanResult(report, { scanId: 'playground', file: 'playground.sol' }) }
}

function answerProject(files: readonly { path: string; text: string }[]): PlaygroundAnswer {
  const reports = scanFiles(files)
  if (reports.every(({ unreadable }) => unreadable)) return { ok: false, error: texts.noneFilesValidSolidity }
  return { ok: true, result: toProjectResult(reports, { scanId: 'playground', file: 'project' }) }
}
