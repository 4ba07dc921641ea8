import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { objectOf, stringsOf, withoutComments } from './config-text.ts'
import type { Project } from './project.ts'

/** A Hardhat project, versions 2 and 3: `paths` as far as they are written out, else Hardhat's own. */
export function readHardhat(root: string, config: string): Project {
  const paths = objectOf(withoutComments(readFileSync(join(root, config), 'utf8')), 'paths') ?? ''
  const inner = (key: string) => objectOf(paths, key)
  const folders = (key: string, fallback: string) => {
    const nested = inner(key)
    const written = nested === undefined ? stringsOf(paths, key) : stringsOf(nested, 'solidity')
    return (written.length > 0 ? written : [fallback]).map((name) => resolve(root, name))
  }
  return {
    kind: 'Hardhat',
    root,
    sources: folders('sources', 'contracts').filter((path) => existsSync(path)),
    tests: folders('tests', 'test'),
    scripts: [join(root, 'scripts'), join(root, 'ignition')],
    libraries: [join(root, 'node_modules')],
    outputs: [...folders('artifacts', 'artifacts'), ...folders('cache', 'cache')],
    remappings: [],
  }
}
