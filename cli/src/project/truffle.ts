import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Boundary, readSettingsFile } from './boundary.ts'
import { truffleCompilers } from './compiler-setting.ts'
import { stringsOf, withoutComments } from './config-text.ts'
import type { Project } from './project.ts'
import { toSetting } from './setting.ts'

export function readTruffle(root: string, config: string, boundary: Boundary): Project {
  const text = withoutComments(readSettingsFile(join(root, config), boundary))
  const folder = (key: string, fallback: string) => resolve(root, stringsOf(text, key)[0] ?? fallback)
  return {
    kind: 'Truffle',
    root,
    sources: [folder('contracts_directory', 'contracts')].filter((path) => existsSync(path)),
    tests: [folder('test_directory', 'test')],
    scripts: [folder('migrations_directory', 'migrations')],
    libraries: [join(root, 'node_modules'), join(root, 'installed_contracts')],
    outputs: [folder('contracts_build_directory', 'build')],
    remappings: [],
    compilers: truffleCompilers(text),
    settings: ['contracts', 'test', 'migrations', 'contracts_build']
      .map((name) => `${name}_directory`)
      .flatMap((key) =>
        stringsOf(text, key)
          .slice(0, 1)
          .map((value) => toSetting(join(root, config), key, value)),
      ),
  }
}
