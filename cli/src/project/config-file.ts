import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Option, Options } from '../command.ts'
import { Complaint } from '../io.ts'
import { configFile as messages } from '../messages/project.ts'
import { checkValue, closest } from '../parse-options.ts'
import { type Boundary, readSettingsFile, realPath } from './boundary.ts'
import { parseRemapping } from './remappings.ts'
import { type Setting, toSetting } from './setting.ts'

export const configName = 'assay.config.json'

type Value = string | boolean | readonly string[]

/** What a settings file says, by the name of the option. */
export interface Configured {
  readonly values: Readonly<Record<string, Value>>
}

/** What of it held, for the output: an option that was typed wins over one that was written down. */
export const appliedSettings = (path: string, { values }: Configured, typed: ReadonlySet<string>): Setting[] =>
  Object.entries(values).flatMap(([name, value]) => (typed.has(name) ? [] : [toSetting(path, keyOf(name), value)]))

/** `--fail-on` is `failOn` in the file. */
export const keyOf = (option: string): string =>
  option.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The options that may stand in the file, by their key. */
export const configurable = (options: Options): Map<string, [name: string, option: Option]> =>
  new Map(Object.entries(options).flatMap(([name, option]) => (option.inConfig ? [[keyOf(name), [name, option]]] : [])))

/** The named file, or the nearest assay.config.json from the folder upwards, up to the root of the project. */
export function findConfig(folder: string, named: string | undefined, boundary: Boundary): string | undefined {
  if (named !== undefined) {
    const path = resolve(folder, named)
    if (!existsSync(path)) throw new Complaint(messages.configNoSuchFile(named))
    return path
  }
  for (let place = folder; ; place = dirname(place)) {
    const path = join(place, configName)
    if (existsSync(path)) return path
    if (boundary.roots.includes(realPath(place)) || place === dirname(place)) return undefined
  }
}

/**
 * Reads a settings file: every key must be an option that may stand there, every value one that the option takes. The file
 * travels with the source, so no key names code to run or a file to write.
 */
export function readConfig(path: string, options: Options, boundary: Boundary): Configured {
  const content = parse(path, boundary)
  const known = configurable(options)
  const values: Record<string, Value> = {}
  for (const [key, value] of Object.entries(content)) {
    if (key === '$schema') continue
    const found = known.get(key)
    const typedOnly = Object.keys(options).find((name) => keyOf(name) === key)
    if (!found && typedOnly !== undefined) throw new Complaint(messages.notTakenFromSettings(path, key, typedOnly))
    if (!found) {
      const near = closest(key, [...known.keys()])
      throw new Complaint(messages.thereNoSetting(path, key, near ? messages.didYouMean(near) : ''))
    }
    const read = toValue(`${path}: "${key}"`, found[1], value)
    const { inConfig } = found[1]
    if (inConfig instanceof RegExp && !(read as string[]).every((word) => inConfig.test(word)))
      throw new Complaint(messages.notTakenFromSettings(path, key, found[0]))
    values[found[0]] = found[1].isPath ? (read as string[]).map((word) => fromFile(path, key, word, boundary)) : read
  }
  return { values }
}

/** A path counts from the file in which it stands, and stays in its project. */
function fromFile(file: string, key: string, word: string, boundary: Boundary): string {
  const folder = dirname(file)
  const remapping = parseRemapping(word, folder)
  const path = remapping?.target ?? resolve(folder, word)
  if (!boundary.holds(path)) throw new Complaint(messages.leadsOutsideProjectType(file, key, word))
  return remapping ? `${remapping.context}:${remapping.prefix}=${remapping.target}` : path
}

function parse(path: string, boundary: Boundary): object {
  let content: unknown
  try {
    content = JSON.parse(readSettingsFile(path, boundary))
  } catch (error) {
    throw new Complaint(`${path}: ${(error as Error).message}.`)
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Complaint(messages.mustHoldOneObject(path))
  return content
}

function toValue(shown: string, option: Option, value: unknown): Value {
  if (option.value === undefined) {
    if (typeof value !== 'boolean') throw new Complaint(messages.mustTrueFalse(shown))
    return value
  }
  if (option.isRepeatable) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
      throw new Complaint(messages.mustListTexts(shown))
    for (const item of value) checkValue(shown, option, item)
    return value
  }
  if (option.isNumber ? typeof value !== 'number' : typeof value !== 'string')
    throw new Complaint(messages.mustBeA(shown, option.isNumber ? 'number' : 'text'))
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
    description: messages.settingsAssayScanCommand,
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
