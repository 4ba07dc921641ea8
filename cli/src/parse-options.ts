import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Option, Options } from './command.ts'
import { Complaint } from './io.ts'
import { parseOptions as texts } from './messages/program.ts'

export interface Parsed {
  readonly paths: readonly string[]
  /** Names of the options that were typed. */
  readonly given: ReadonlySet<string>
  readonly values: Readonly<Record<string, string | boolean | readonly string[] | undefined>>
}

type Collected = Record<string, string | boolean | string[] | undefined>

/** Reads `--name value`, `--name=value`, `-x value`; `--` ends the options; `-` alone is a path. */
export function parseOptions(options: Options, words: readonly string[]): Parsed {
  const values = defaultsOf(options)
  const { positionals, tokens } = parseArgs({
    args: [...words],
    options: configOf(options),
    allowPositionals: true,
    // Our own words for what is wrong: they name what may be given instead.
    strict: false,
    tokens: true,
  })
  for (const token of tokens) if (token.kind === 'option') takeOption(options, values, token)
  const given = new Set(tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : [])))
  return { paths: positionals, given, values }
}

const configOf = (options: Options): NonNullable<ParseArgsConfig['options']> =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, short, isRepeatable }]) => [
      name,
      {
        type: value === undefined ? ('boolean' as const) : ('string' as const),
        multiple: isRepeatable === true,
        ...(short ? { short } : {}),
      },
    ]),
  )

function defaultsOf(options: Options): Collected {
  const values: Collected = {}
  for (const [name, option] of Object.entries(options)) {
    if (option.isRepeatable) values[name] = []
    else values[name] = option.value === undefined ? false : option.default
  }
  return values
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
}

function takeOption(options: Options, values: Collected, { name, rawName, value }: OptionToken): void {
  const option = options[name]
  if (option === undefined) throw new Complaint(unknownOption(rawName, options))
  if (option.value === undefined) {
    if (value !== undefined) throw new Complaint(texts.takesNoValue(rawName))
    values[name] = true
    return
  }
  if (value === undefined) throw new Complaint(texts.needsValue(rawName, option.value))
  checkValue(rawName, option, value)
  if (option.isRepeatable) (values[name] as string[]).push(value)
  else values[name] = value
}

/** Whether an option may have this value; a list may be split by commas. */
export function checkValue(shown: string, { choices, isNumber }: Option, value: string): void {
  if (choices && !choices.includes(value)) throw new Complaint(texts.mustOne(shown, choices.join(', '), value))
  if (isNumber && !/^\d{1,9}$/.test(value)) throw new Complaint(texts.mustWholeNumber(shown, value))
}

function unknownOption(flag: string, options: Options): string {
  const near = closest(
    flag,
    Object.keys(options).map((name) => `--${name}`),
  )
  return texts.thereNoOptionAssay(flag, near ? texts.didYouMean(near) : '')
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
