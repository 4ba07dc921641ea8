import { type Detector, PatternError, patternDetector } from '@assay/engine'
import { isMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { readYamlRules as texts } from '../messages/rules.ts'
import { readSettingsFile } from '../project/boundary.ts'

/** More rules than this in one file are a mistake, or an attack on the time of a scan. */
const maxRules = 200
const maxBytes = 512 * 1024

export const isYaml = (location: string): boolean => /\.ya?ml$/i.test(location)

/** The rules of a YAML file: `rules:` with a list, as Semgrep has it. They are data, so nothing of the file is run. */
export function readYamlRules(location: string): Detector[] {
  const text = readSettingsFile(location, { holds: () => true, refuse: () => {} })
  if (text.length > maxBytes) throw new Error(texts.tooLarge(maxBytes))
  const lines = new LineCounter()
  // Without aliases a text cannot grow when it is read.
  const document = parseDocument(text, { lineCounter: lines, stringKeys: true })
  const [problem] = document.errors
  if (problem) throw new Error(texts.atLine(problem.linePos?.[0].line ?? 1, problem.message.split('\n')[0] ?? ''))
  const list = isMap(document.contents) ? document.contents.get('rules') : undefined
  if (!isSeq(list) || list.items.length === 0) throw new Error(texts.needsRules)
  if (list.items.length > maxRules) throw new Error(texts.tooMany(maxRules))
  return list.items.map((item) => readRule(item as Node, lines, document))
}

function readRule(item: Node, lines: LineCounter, document: ReturnType<typeof parseDocument>): Detector {
  const line = lines.linePos(item.range?.[0] ?? 0).line
  try {
    return patternDetector(item.toJS(document, { maxAliasCount: 0 }))
  } catch (error) {
    if (error instanceof PatternError || error instanceof ReferenceError)
      throw new Error(texts.atLine(line, error.message))
    throw error
  }
}
