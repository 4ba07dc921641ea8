/** Asks line by line; the input is touched at the first question, so that commands that ask nothing leave it alone. */
export function createPrompt(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): (question: string) => Promise<string | undefined> {
  let lines: AsyncIterator<string> | undefined
  return async (question) => {
    lines ??= await readLines(input)
    output.write(question)
    const { value, done } = await lines.next()
    return done ? undefined : value.trim()
  }
}

async function readLines(input: NodeJS.ReadableStream): Promise<AsyncIterator<string>> {
  const { createInterface } = await import('node:readline/promises')
  return createInterface({ input })[Symbol.asyncIterator]()
}
