import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

/** A live answer as the check of the document's other direction needs it: refusals by their names, other answers by their status. */
export interface SeenAnswer {
  readonly method: string
  /** As the route has it, with `:name`. */
  readonly url: string
  readonly status: number
  readonly refusal: string | undefined
}

export const answerLine = ({ method, url, status, refusal }: SeenAnswer): string =>
  `${method} ${url} ${refusal ?? status}`

/** Where a whole run of the tests gathers what was answered; `npm test` reads it when all are done. */
const FOLDER = process.env.TEST_ANSWERS

/** Notes each kind of answer once per app; each process has a file of its own. */
export function answerRecorder(): (answer: SeenAnswer) => void {
  const seen = new Set<string>()
  return (answer) => {
    const line = answerLine(answer)
    if (!FOLDER || seen.has(line)) return
    seen.add(line)
    appendFileSync(join(FOLDER, `${process.pid}.txt`), `${line}\n`)
  }
}
