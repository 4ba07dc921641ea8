import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { parse as parseYaml } from 'yaml'
import { pythonTools as messages } from '../messages/project.ts'
import { type Boundary, readSettingsFile } from './boundary.ts'
import { compilersIn } from './compiler-setting.ts'
import { BrokenConfig, type Project } from './project.ts'
import { parseRemappings } from './remappings.ts'
import { toSetting } from './setting.ts'

type Table = Readonly<Record<string, unknown>>

export const brownieConfig = /^brownie-config\.ya?ml$/
export const apeConfig = /^ape-config\.(ya?ml|json|toml)$/

/** A Brownie project. Its packages lie in the home folder, so they are read only where a typed remapping leads to them. */
export function readBrownie(root: string, config: string, boundary: Boundary): Project {
  const file = join(root, config)
  const settings = readTable(file, boundary)
  const structure = tableOf(settings.project_structure)
  const folder = (key: string) => resolve(root, textOf(structure[key]) ?? key)
  const solc = tableOf(tableOf(settings.compiler).solc)
  return {
    kind: 'Brownie',
    root,
    sources: [folder('contracts'), folder('interfaces')].filter((path) => existsSync(path)),
    tests: [folder('tests')],
    scripts: [folder('scripts')],
    libraries: [],
    outputs: [folder('build'), folder('reports')],
    remappings: parseRemappings(textsOf(solc.remappings), root),
    compilers: compilersIn(solc.version),
    settings: [
      ...Object.keys(structure).map((key) => toSetting(file, `project_structure.${key}`, structure[key])),
      ...remappingsSetting(file, 'compiler.solc.remappings', solc.remappings),
    ],
  }
}

/** An Ape project: `contracts_folder`, and remappings to what it keeps below the folder of contracts. */
export function readApe(root: string, config: string, boundary: Boundary): Project {
  const file = join(root, config)
  const settings = readTable(file, boundary)
  const contracts = resolve(root, textOf(settings.contracts_folder) ?? 'contracts')
  const solidity = tableOf(settings.solidity)
  return {
    kind: 'Ape',
    root,
    sources: [contracts, join(root, 'interfaces')].filter((path) => existsSync(path)),
    tests: [join(root, 'tests')],
    scripts: [join(root, 'scripts')],
    libraries: [],
    outputs: [join(root, '.build')],
    // Former versions of Ape unpack dependencies into `.cache` below the contracts.
    remappings: [join(contracts, '.cache'), root].flatMap((from) =>
      parseRemappings(textsOf(solidity.import_remapping), from),
    ),
    compilers: compilersIn(solidity.version),
    settings: [
      ...(settings.contracts_folder === undefined
        ? []
        : [toSetting(file, 'contracts_folder', settings.contracts_folder)]),
      ...remappingsSetting(file, 'solidity.import_remapping', solidity.import_remapping),
    ],
  }
}

function readTable(file: string, boundary: Boundary): Table {
  const text = readSettingsFile(file, boundary)
  try {
    // JSON is YAML. Aliases are refused: a few of them make a large text.
    return tableOf(file.endsWith('.toml') ? parseToml(text) : parseYaml(text, { maxAliasCount: 0 }))
  } catch (error) {
    throw new BrokenConfig(file, messages.notValid((error as Error).message.split('\n')[0]))
  }
}

const tableOf = (value: unknown): Table =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {}
const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string')

const remappingsSetting = (file: string, key: string, written: unknown) =>
  textsOf(written).length === 0 ? [] : [toSetting(file, key, textsOf(written))]
