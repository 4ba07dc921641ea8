/**
 * The marks that fixtures carry on their lines. Read by the tests and by the documentation; comments never influence the analysis.
 *   // expect: <id> [<id> …]            reported on this line
 *   // expect: <id>(low)                 reported on this line with this confidence
 *   // safe: <id>/<excuse> <words>      reported on this line as soon as that excuse is switched off
 *   // safe: <words>                    a near miss that the claim itself does not reach
 *   // miss: <id> <reason>              should be reported and is not: printed as a known limit
 * A line may carry several, one after the other.
 */
export interface Marks {
  /** `<line> <detector>` */
  readonly expected: readonly string[]
  /** `<line> <detector> <confidence>`, where a mark says it. */
  readonly confident: readonly string[]
  readonly missed: readonly string[]
  /** `<line> <detector>/<excuse>` */
  readonly excused: readonly string[]
}

const mark = /\/\/ (expect|safe|miss): ([^/]*(?:\/(?!\/)[^/]*)*)/g
/** A word and a colon in lower case where a mark would stand: a mistyped mark must not be taken for a remark. */
const likeAMark = /\/\/ ([a-z]+): /g
const kinds = new Set(['expect', 'safe', 'miss'])
const idList = /^[a-z0-9-]+(?:\((?:high|medium|low)\))?(?: +[a-z0-9-]+(?:\((?:high|medium|low)\))?)*$/
const excuseName = /^([a-z0-9-]+\/[a-z0-9-]+)\s+\S/
const missName = /^([a-z0-9-]+) +\S/

export const readMarks = (text: string): Marks => {
  const marks: Writable = { expected: [], confident: [], missed: [], excused: [] }
  for (const [index, line] of text.split('\n').entries()) {
    for (const [, kind] of line.matchAll(likeAMark))
      if (!kinds.has(kind!))
        throw new Error(`line ${index + 1}: \`// ${kind}:\` is no mark; there are expect, safe and miss`)
    for (const [, kind, words = ''] of line.matchAll(mark)) readMark(kind!, words.trim(), index + 1, marks)
  }
  return marks
}

type Writable = Record<keyof Marks, string[]>

const readMark = (kind: string, words: string, line: number, marks: Writable): void => {
  if (kind === 'expect') {
    if (!idList.test(words))
      throw new Error(`line ${line}: \`// expect: ${words}\` names something that is no detector`)
    for (const word of words.split(/ +/)) {
      const [id, confidence] = word.split(/[()]/)
      marks.expected.push(`${line} ${id}`)
      if (confidence !== undefined) marks.confident.push(`${line} ${id} ${confidence}`)
    }
  }
  if (kind === 'miss') {
    const name = missName.exec(words)?.[1]
    if (name === undefined) throw new Error(`line ${line}: \`// miss: ${words}\` gives no detector and reason`)
    marks.missed.push(`${line} ${name}`)
  }
  const excuse = kind === 'safe' ? excuseName.exec(words)?.[1] : undefined
  if (excuse !== undefined) marks.excused.push(`${line} ${excuse}`)
}

/** Marks become words for a reader of the page of one detector: where it is reported, and why a near miss is fine. */
export const toExample = (text: string, id: string): string =>
  text
    .replace(/[ \t]*\/\/ expect: ([a-z0-9 ()-]*[a-z0-9)])/g, (_, ids: string) =>
      ids.split(/[ ()]+/).includes(id) ? ' // ← reported here' : '',
    )
    .replace(/\/\/ safe: (?:[a-z0-9-]+\/[a-z0-9-]+\s+)?/g, '// not reported: ')
    .replace(/\/\/ miss: \S+ /g, '// missed: ')
    .trimEnd()
