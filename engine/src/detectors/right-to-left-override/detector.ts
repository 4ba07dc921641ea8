import type { SourceFile } from '../../model/index.ts'
import { defineDetector, type Hit } from '../define-detector.ts'

const CONTROL = /[\u202a-\u202e\u2066-\u2069]/
const ALL_CONTROLS = new RegExp(CONTROL, 'g')

const nameOf = (character: string): string => `U+${character.charCodeAt(0).toString(16).toUpperCase()}`

const findControls = ({ text, base }: SourceFile, hits: Hit[]): void => {
  let lineEnd = -1
  for (const match of text.matchAll(ALL_CONTROLS)) {
    // Such characters come in pairs: one finding per line is enough.
    if (match.index < lineEnd) continue
    const next = text.indexOf('\n', match.index)
    lineEnd = next < 0 ? text.length : next
    const start = base + match.index
    hits.push({ at: { start, end: start + 1 }, message: `${nameOf(match[0])} changes how this line is shown.` })
  }
}

export default defineDetector({
  id: 'right-to-left-override',
  swc: 'SWC-130',
  title: 'Text direction control character',
  severity: 'low',
  confidence: 'high',
  description:
    'An invisible character changes the direction in which the text is shown, so that a reader sees other code than the compiler. No honest source needs it.',
  recommendation: 'Remove the character and read again what the code really says.',
  references: ['https://swcregistry.io/docs/SWC-130', 'https://trojansource.codes/'],
  cwe: ['CWE-451'],

  read(model) {
    const hits: Hit[] = []
    for (const file of model.files) if (CONTROL.test(file.text)) findControls(file, hits)
    return hits
  },
})
