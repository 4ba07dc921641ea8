import type { Option, Options } from './command.ts'
import { Complaint } from './io.ts'

export interface Parsed {
  readonly paths: readonly string[]
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

type Collected = Record<string, string | boolean | string[] | undefined>

/** Reads `--name value`, `--name=value`, `-x value`; `--` ends the options; `-` alone is a path. */
export function parseOptions(options: Options, given: readonly string[]): Parsed {
  const values = defaultsOf(options)
  const paths: string[] = []
  const rest = [...given]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === '--') paths.push(...rest.splice(0))
    else if (!word.startsWith('-') || word === '-') paths.push(word)
    else takeOption(options, values, word, rest)
  }
  return { paths, values }
}

function defaultsOf(options: Options): Collected {
  const values: Collected = {}
  for (const [name, option] of Object.entries(options)) {
    if (option.isRepeatable) values[name] = []
    else values[name] = option.value === undefined ? false : option.default
  }
  return values
}

function takeOption(options: Options, values: Collected, word: string, rest: string[]): void {
  const [flag = '', attached] = splitOnce(word)
  const [name, option] = findOption(options, flag)
  if (option.value === undefined) {
    if (attached !== undefined) throw new Complaint(`${flag} takes no value.`)
    values[name] = true
    return
  }
  const value = attached ?? rest.shift()
  if (value === undefined) throw new Complaint(`${flag} needs a value: ${flag} <${option.value}>.`)
  if (option.choices && !option.choices.includes(value)) {
    throw new Complaint(`${flag} must be one of ${option.choices.join(', ')}; it is "${value}".`)
  }
  if (option.isRepeatable) (values[name] as string[]).push(value)
  else values[name] = value
}

function splitOnce(word: string): [string, string | undefined] {
  const at = word.indexOf('=')
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function findOption(options: Options, flag: string): [string, Option] {
  const entries = Object.entries(options)
  const found = flag.startsWith('--')
    ? entries.find(([name]) => `--${name}` === flag)
    : entries.find(([, option]) => option.short !== undefined && `-${option.short}` === flag)
  if (found) return found
  const near = closest(
    flag,
    entries.map(([name]) => `--${name}`),
  )
  throw new Complaint(`There is no option ${flag}.${near ? ` Did you mean ${near}?` : ''} \`assay help\` lists them.`)
}

/** The name within two edits of what was typed, if there is one. */
export function closest(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: editDistance(typed, name) }))
    .sort((a, b) => a.distance - b.distance)
  const [best] = ranked
  return best && best.distance <= 2 ? best.name : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
