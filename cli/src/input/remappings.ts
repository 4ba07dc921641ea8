import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { Complaint } from '../io.ts'

/**
 * Import remappings (`prefix=target`, as solc and Foundry write them): those given, else those of the nearest
 * `remappings.txt` or `foundry.toml` above the working folder. Targets come out relative to the working folder, like the
 * paths of the files they stand for.
 */
export function findRemappings(given: readonly string[], folder: string): string[] {
  if (given.length > 0) return given.flatMap((word) => readGiven(word, folder))
  const home = nearest(folder, ['remappings.txt', 'foundry.toml'])
  if (home === undefined) return []
  return [...readList(join(home, 'remappings.txt')), ...readFoundry(join(home, 'foundry.toml'))].map((line) =>
    rebase(line, home, folder),
  )
}

function readGiven(word: string, folder: string): string[] {
  if (isRemapping(word)) return [word]
  const file = resolve(folder, word)
  if (!existsSync(file)) throw new Complaint(`--remappings ${word}: neither prefix=target nor a file.`)
  return readList(file).map((line) => rebase(line, dirname(file), folder))
}

const isRemapping = (text: string): boolean => /^[^=\s]+=[^=]*$/.test(text)

function readList(file: string): string[] {
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  return lines.map((line) => line.trim()).filter((line) => !line.startsWith('#') && isRemapping(line))
}

/** The one key we need of a TOML file: `remappings = [ "a=b", 'c=d' ]`, over one line or several. */
function readFoundry(file: string): string[] {
  if (!existsSync(file)) return []
  const text = readFileSync(file, 'utf8').replace(/^\s*#.*$/gm, '')
  const list = /^\s*remappings\s*=\s*\[([^\]]*)\]/m.exec(text)?.[1] ?? ''
  return [...list.matchAll(/"([^"]*)"|'([^']*)'/g)]
    .map((match) => (match[1] ?? match[2] ?? '').trim())
    .filter(isRemapping)
}

function rebase(line: string, home: string, folder: string): string {
  const at = line.indexOf('=')
  const target = line.slice(at + 1)
  const moved = relative(folder, resolve(home, target)).split(sep).join('/')
  return `${line.slice(0, at)}=${moved}${target.endsWith('/') && moved !== '' ? '/' : ''}`
}

function nearest(folder: string, names: readonly string[]): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    if (names.some((name) => existsSync(join(place, name)))) return place
    if (place === dirname(place)) return undefined
  }
}
