import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export const readDocument = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

/** What stands between the fences of a document, by language. */
export const blocksOf = (path: string, language: string): string[] =>
  [...readDocument(path).matchAll(/^```(\S*)\n([\s\S]*?)^```/gm)].flatMap(([, named, text = '']) =>
    named === language ? [text] : [],
  )

/** The commands of a block as a shell reads them: without comments, continued lines joined. */
export const commandsIn = (block: string): string[] =>
  block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter(Boolean)
