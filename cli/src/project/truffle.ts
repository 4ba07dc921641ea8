import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { stringsOf, withoutComments } from './config-text.ts'
import type { Project } from './project.ts'

export function readTruffle(root: string, config: string): Project {
  const text = withoutComments(readFileSync(join(root, config), 'utf8'))
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
  }
}
