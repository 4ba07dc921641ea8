import { defineDetector } from '../define-detector.ts'

const anyControl = /[\u202a-\u202e\u2066-\u2069]/
const allControls = /[\u202a-\u202e\u2066-\u2069]/g

const nameOf = (character: string): string => `U+${character.charCodeAt(0).toString(16).toUpperCase()}`

interface Candidate {
  readonly start: number
  readonly character: string
}

export default defineDetector<Candidate>({
  id: 'right-to-left-override',
  swc: 'SWC-130',
  title: 'Right-to-left override character',
  aliases: { slither: ['rtlo'], aderyn: ['rtlo'], scwe: ['SCWE-076'], words: ['RTLO', 'trojan source', 'unicode'] },
  severity: 'low',
  confidence: 'high',
  description:
    'An invisible control character changes the displayed text direction, so reviewers see different code than the compiler (Trojan Source).',
  recommendation: 'Remove the character and review what the code really does.',
  references: ['https://swcregistry.io/docs/SWC-130', 'https://trojansource.codes/'],
  cwe: ['CWE-451'],

  *candidatesInFile({ text, base }) {
    if (!anyControl.test(text)) return
    let lineEnd = -1
    for (const match of text.matchAll(allControls)) {
      // Such characters come in pairs: one finding per line is enough.
      if (match.index < lineEnd) continue
      const next = text.indexOf('\n', match.index)
      lineEnd = next < 0 ? text.length : next
      yield { start: base + match.index, character: match[0] }
    }
  },

  finding: ({ start, character }) => ({
    at: { start, end: start + 1 },
    message: `${nameOf(character)} changes how this line is displayed, so reviewers see different code than the compiler.`,
  }),
})
