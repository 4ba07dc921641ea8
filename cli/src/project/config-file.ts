import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Option, Options } from '../command.ts'
import { Complaint } from '../io.ts'
import { checkValue, closest } from '../parse-options.ts'

export const configName = 'assay.config.json'

export interface ConfigFile {
  readonly path: string
  readonly values: Readonly<Record<string, unknown>>
}

/** `--fail-on` is `failOn` in the file. */
export const keyOf = (option: string): string =>
  option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The options that may stand in the file, by their key. */
export const configurable = (options: Options): Map<string, [name: string, option: Option]> =>
  new Map(Object.entries(options).flatMap(([name, option]) => (option.inConfig ? [[keyOf(name), [name, option]]] : [])))

/** The named file, or the nearest assay.config.json from the folder upwards, up to the root of the repository. */
export function findConfig(folder: string, named: string | undefined): string | undefined {
  if (named !== undefined) {
    const path = resolve(folder, named)
    if (!existsSync(path)) throw new Complaint(`--config ${named}: no such file.`)
    return path
  }
  for (let place = folder; ; place = dirname(place)) {
    const path = join(place, configName)
    if (existsSync(path)) return path
    if (existsSync(join(place, '.git')) || place === dirname(place)) return undefined
  }
}

/** Reads a settings file: every key must be an option, every value one that the option takes. */
export function readConfig(path: string, options: Options): Record<string, string | boolean | readonly string[]> {
  const content = parse(path)
  const known = configurable(options)
  const values: Record<string, string | boolean | readonly string[]> = {}
  for (const [key, value] of Object.entries(content)) {
    if (key === '$schema') continue
    const found = known.get(key)
    if (!found) {
      const near = closest(key, [...known.keys()])
      throw new Complaint(`${path}: there is no setting "${key}".${near ? ` Did you mean "${near}"?` : ''}`)
    }
    values[found[0]] = toValue(`${path}: "${key}"`, found[1], value)
  }
  return values
}

function parse(path: string): object {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new Complaint(`${path}: ${(error as Error).message}.`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Complaint(`${path}: it must hold one object.`)
  return content
}

function toValue(shown: string, option: Option, value: unknown): string | boolean | readonly string[] {
  if (option.value === undefined) {
    if (typeof value !== 'boolean') throw new Complaint(`${shown} must be true or false.`)
    return value
  }
  if (option.isRepeatable) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
      throw new Complaint(`${shown} must be a list of texts.`)
    for (const item of value) checkValue(shown, option, item)
    return value
  }
  if (option.isNumber ? typeof value !== 'number' : typeof value !== 'string')
    throw new Complaint(`${shown} must be a ${option.isNumber ? 'number' : 'text'}.`)
  checkValue(shown, option, String(value))
  return String(value)
}

/** The JSON schema of the file, from the same table of options. */
export function configSchema(options: Options): object {
  const properties = [...configurable(options)].map(([key, [, option]]) => [
    key,
    { description: option.description, ...typeOf(option) },
  ])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'urn:assay:config:1',
    title: configName,
    description: 'Settings of `assay scan`; an option on the command line wins over one in the file.',
    type: 'object',
    properties: { $schema: { type: 'string' }, ...Object.fromEntries(properties) },
    additionalProperties: false,
  }
}

function typeOf({ value, choices, isRepeatable, isNumber, default: fallback }: Option): object {
  if (value === undefined) return { type: 'boolean', default: false }
  const item = isNumber ? { type: 'integer', minimum: 0 } : { type: 'string', ...(choices ? { enum: choices } : {}) }
  if (isRepeatable) return { type: 'array', items: item }
  return { ...item, ...(fallback === undefined ? {} : { default: isNumber ? Number(fallback) : fallback }) }
}
