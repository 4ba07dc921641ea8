import { resolve } from 'node:path'
import { z } from 'zod'
import { Complaint, type Io } from '../io.ts'
import { server as texts } from '../messages/mcp.ts'
import { createBoundary } from '../project/boundary.ts'

/** An agent pays for every word: an answer to any request stays below this. */
export const maxAnswerLength = 60_000
export const maxSourceLength = 1_000_000

export const paths = z.array(z.string().max(4096)).max(100).optional().describe(texts.filesFoldersBelowFolder)

export type Answer = {
  content: [{ type: 'text'; text: string }]
  structuredContent?: Record<string, unknown>
  isError?: true
}

/** A text, cut where it is too long. */
export function textAnswer(text: string): Answer {
  const cut =
    text.length > maxAnswerLength ? texts.cutCharacters(text.slice(0, maxAnswerLength), maxAnswerLength) : text
  return { content: [{ type: 'text', text: cut }] }
}

/** A value as its tool's schema describes it, and the same as text for clients that read only that. */
export const answer = (value: object): Answer => ({
  ...textAnswer(JSON.stringify(value)),
  structuredContent: { ...value },
})

/** A refusal that a person would read goes to the agent in the same words; any other error is a fault of the server. */
export async function orRefuse(work: () => Promise<Answer> | Answer): Promise<Answer> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Complaint)) throw error
    return { ...textAnswer(error.message), isError: true }
  }
}

/** The paths to read: all of them below the working folder, links followed. */
export function below(words: readonly string[] | undefined, io: Io): string[] {
  const { holds } = createBoundary({ paths: [], root: io.folder }, io)
  for (const word of words ?? []) {
    if (!holds(resolve(io.folder, word))) throw new Complaint(texts.onlyWhatLiesBelow(word))
  }
  return words && words.length > 0 ? [...words] : ['.']
}

/** The first entries that together stay below the length of an answer. */
export function thatFit<T extends object>(entries: readonly T[], share = 0.8): T[] {
  let length = 0
  const firstTooMuch = entries.findIndex((entry) => {
    length += JSON.stringify(entry).length
    return length > maxAnswerLength * share
  })
  return firstTooMuch < 0 ? [...entries] : entries.slice(0, firstTooMuch)
}
