import { createInterface } from 'node:readline/promises'

/** Asks line by line; the input is touched at the first question, so that commands that ask nothing leave it alone. */
export function createPrompt(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): (question: string) => Promise<string | undefined> {
  let lines: AsyncIterator<string> | undefined
  return async (question) => {
    lines ??= createInterface({ input })[Symbol.asyncIterator]()
    output.write(question)
    const { value, done } = await lines.next()
    return done ? undefined : value.trim()
  }
}
