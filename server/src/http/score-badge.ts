const colours: Readonly<Record<string, string>> = {
  Excellent: '#14713f',
  Good: '#0f766e',
  Fair: '#8a5a00',
  Poor: '#b4410b',
  Critical: '#a3122a',
}

const noRating = '#566270'

const LABEL = 'assay'
/** Of the letters used, in the usual size: near enough for a picture, and the same everywhere because the text is fitted to it. */
const LETTER_WIDTH = 6.4
const PADDING = 12

const widthOf = (text: string): number => Math.round(text.length * LETTER_WIDTH) + PADDING

interface SharedScore {
  readonly score: number
  /** Null: severe findings contradict it. */
  readonly rating: string | null
  readonly isComplete: boolean
}

/** Two words on two grounds, as READMEs show them; no rating, and no color of one, beside a scan that did not read everything. */
export function drawBadge({ score, rating, isComplete }: SharedScore): string {
  const words = `${score} ${isComplete ? (rating ?? 'of 100') : 'incomplete'}`
  const ground = isComplete ? (colours[rating ?? 'Poor'] ?? noRating) : noRating
  const [left, right] = [widthOf(LABEL), widthOf(words)]
  const text = (x: number, width: number, content: string) =>
    `<text x="${x + width / 2}" y="14" textLength="${width - PADDING}" lengthAdjust="spacingAndGlyphs">${content}</text>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${LABEL}: ${words}"><title>${LABEL}: ${words}</title><clipPath id="r"><rect width="${left + right}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="#384442"/><rect x="${left}" width="${right}" height="20" fill="${ground}"/></g><g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">${text(0, left, LABEL)}${text(left, right, words)}</g></svg>\n`
}
