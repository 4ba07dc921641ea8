import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Boundary, readSettingsFile } from './boundary.ts'
import { hardhatCompilers } from './compiler-setting.ts'
import { objectOf, stringsOf, withoutComments } from './config-text.ts'
import type { Project } from './project.ts'
import { toSetting } from './setting.ts'

/** A Hardhat project, versions 2 and 3: `paths` as far as they are written out, else Hardhat's own. */
export function readHardhat(root: string, config: string, boundary: Boundary): Project {
  const text = withoutComments(readSettingsFile(join(root, config), boundary))
  const paths = objectOf(text, 'paths') ?? ''
  const inner = (key: string) => objectOf(paths, key)
  const written = (key: string) => {
    const nested = inner(key)
    return nested === undefined ? stringsOf(paths, key) : stringsOf(nested, 'solidity')
  }
  const folders = (key: string, fallback: string) => {
    const names = written(key)
    return (names.length > 0 ? names : [fallback]).map((name) => resolve(root, name))
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
    compilers: hardhatCompilers(text),
    settings: ['sources', 'tests', 'artifacts', 'cache'].flatMap((key) =>
      written(key).length === 0 ? [] : [toSetting(join(root, config), `paths.${key}`, written(key))],
    ),
  }
}
