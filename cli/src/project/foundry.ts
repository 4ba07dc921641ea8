import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parse } from 'smol-toml'
import { foundry as messages } from '../messages/project.ts'
import { type Boundary, readSettingsFile } from './boundary.ts'
import { compilersIn } from './compiler-setting.ts'
import { BrokenConfig, type Project, type Remapping } from './project.ts'
import { parseRemappings, readRemappingFile } from './remappings.ts'
import { toSetting } from './setting.ts'

type Table = Readonly<Record<string, unknown>>

/** A Foundry project: the keys of its profile over those of `default` over forge's own. */
export function readFoundry(
  root: string,
  names: readonly string[],
  { foundryProfile, boundary }: { readonly foundryProfile: string; readonly boundary: Boundary },
): Project {
  const settings = readProfile(join(root, 'foundry.toml'), foundryProfile, boundary)
  const folder = (key: string, fallback: string) => [resolve(root, text(settings[key]) ?? fallback)]
  const usual = names.includes('node_modules') ? ['lib', 'node_modules'] : ['lib']
  const libraries = (texts(settings.libs) ?? usual).map((name) => resolve(root, name))
  // forge takes `contracts` where there is no `src`.
  const usualSource = names.includes('src') || !names.includes('contracts') ? 'src' : 'contracts'
  return {
    kind: 'Foundry',
    root,
    sources: folder('src', usualSource).filter((path) => existsSync(path)),
    tests: folder('test', 'test'),
    scripts: folder('script', 'script'),
    libraries,
    outputs: [...folder('out', 'out'), ...folder('cache_path', 'cache')],
    remappings: [
      ...parseRemappings(texts(settings.remappings) ?? [], root),
      ...readRemappingFile(join(root, 'remappings.txt'), boundary),
      ...libraries.flatMap((library) => inferRemappings(library, boundary)),
    ],
    compilers: compilersIn(settings.solc ?? settings.solc_version),
    settings: keysRead.flatMap((key) =>
      settings[key] === undefined ? [] : [toSetting(join(root, 'foundry.toml'), key, settings[key])],
    ),
  }
}

const keysRead = ['src', 'test', 'script', 'libs', 'out', 'cache_path', 'remappings']

function readProfile(file: string, profile: string, boundary: Boundary): Table {
  const text = readSettingsFile(file, boundary)
  let content: Table
  try {
    content = parse(text)
  } catch (error) {
    // The parser draws the place over several lines; the first says what is wrong.
    throw new BrokenConfig(file, messages.notValidToml((error as Error).message.split('\n')[0]))
  }
  // Before there were profiles the tables stood at the top.
  const profiles = table(content.profile) ?? content
  return { ...table(profiles.default), ...(profile === 'default' ? {} : table(profiles[profile])) }
}

const table = (value: unknown): Table | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : undefined
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const texts = (value: unknown): string[] | undefined =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined

/** Libraries of libraries of libraries exist; deeper ones are copies of those. */
const maxDepth = 3

/**
 * What forge infers from `lib/*`: each library by the name of its folder, its code in `src`, in `contracts` or directly,
 * then what the library maps for itself, then its own libraries. `node_modules` needs none of this.
 */
export function inferRemappings(folder: string, boundary: Boundary, depth = 0): Remapping[] {
  if (depth >= maxDepth || /[\\/]node_modules$/.test(folder)) return []
  const libraries = foldersIn(folder, boundary)
  return [
    ...libraries.flatMap((name) => byName(join(folder, name), name)),
    ...libraries.flatMap((name) => ofLibrary(join(folder, name), boundary)),
    ...libraries.flatMap((name) => inferRemappings(join(folder, name, 'lib'), boundary, depth + 1)),
  ]
}

function byName(home: string, name: string): Remapping[] {
  const targets = ['src/', 'contracts/', ''].filter((part) => part === '' || existsSync(join(home, part)))
  // Soldeer puts the version into the folder's name, and its users import with and without it.
  const prefixes = [name, ...(/^(.+?)-v?\d+(\.\d+)*/.exec(name)?.slice(1, 2) ?? [])]
  return prefixes.flatMap((prefix) =>
    targets.map((part) => ({ context: '', prefix: `${prefix}/`, target: `${home}/${part}` })),
  )
}

function ofLibrary(home: string, boundary: Boundary): Remapping[] {
  const manifest = join(home, 'foundry.toml')
  return [
    ...orNone(() => readRemappingFile(join(home, 'remappings.txt'), boundary)),
    ...orNone(() =>
      existsSync(manifest)
        ? parseRemappings(texts(readProfile(manifest, 'default', boundary).remappings) ?? [], home)
        : [],
    ),
  ]
}

/** A library's own mistakes in its settings are not for Assay to complain about. */
function orNone(read: () => Remapping[]): Remapping[] {
  try {
    return read()
  } catch {
    return []
  }
}

function foldersIn(folder: string, boundary: Boundary): string[] {
  const isInside = (path: string) => {
    if (boundary.holds(path)) return true
    boundary.refuse(path)
    return false
  }
  if (!existsSync(folder) || !isInside(folder)) return []
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries
      .filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.'))
      .filter((entry) => entry.isDirectory() || isInside(join(folder, entry.name)))
      .map(({ name }) => name)
      .sort()
  } catch {
    return []
  }
}
