import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** More than any plan allows for sources, and nothing of it is read. */
const AUDIT_BYTES = 6 * 1024 * 1024
/** The person's hooks and signatures are not used. */
const settings = ['-c', 'user.name=walk', '-c', 'user.email=walk@example.com', '-c', 'core.hooksPath=/dev/null']
const notProduct = /(^|\/)(tests?|mocks?|scripts?|harness|certora|lib|node_modules|dependencies)\/|\.[ts]\.sol$/

export interface Repository {
  readonly name: string
  readonly folder: string
  /** Sources by path. */
  sources(): [path: string, content: string][]
  remappings(): string[]
  /** A path in the folder of the project's own sources. */
  besideSources(fileName: string): string
  write(file: string, content: string): void
  delete(file: string): void
  /** Goes to a branch; a new one starts here. */
  branch(name: string): void
  /** Gives the id of the commit that holds everything. */
  commit(): string
  archive(): Buffer
  remove(): void
}

/** A copy of a project as a Git repository, with a large document beside its sources, as real ones have. */
export function createRepository(project: string): Repository {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-walk-'))
  const git = (...args: readonly string[]): Buffer =>
    execFileSync('git', [...settings, ...args], { cwd: folder, maxBuffer: 1 << 28 })
  const repository: Repository = {
    name: path.basename(project),
    folder,
    sources: () =>
      readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.sol'))
        .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
        .sort()
        .map((file) => [path.relative(folder, file).split(path.sep).join('/'), readFileSync(file, 'utf8')]),
    remappings: () =>
      (git('ls-files', 'remappings.txt').length > 0 ? readFileSync(path.join(folder, 'remappings.txt'), 'utf8') : '')
        .split('\n')
        .filter((line) => line.includes('=')),
    besideSources(fileName) {
      const own = repository.sources().find(([file]) => !notProduct.test(file))
      if (!own) throw new Error(`${project} has no sources of its own.`)
      return path.posix.join(path.posix.dirname(own[0]), fileName)
    },
    write: (file, content) => writeFileSync(path.join(folder, file), content),
    delete: (file) => rmSync(path.join(folder, file)),
    branch(name) {
      const isThere = git('branch', '--list', name).length > 0
      git('checkout', '-q', ...(isThere ? [name] : ['-b', name]))
    },
    commit() {
      git('add', '-A', '-f')
      git('commit', '-q', '--allow-empty', '--no-gpg-sign', '-m', 'Walk')
      return git('rev-parse', 'HEAD').toString().trim()
    },
    archive: () => git('archive', '--format=zip', 'HEAD'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
  cpSync(project, folder, { recursive: true, filter: (file) => path.basename(file) !== '.git' })
  mkdirSync(path.join(folder, 'audits'), { recursive: true })
  writeFileSync(path.join(folder, 'audits', 'report.pdf'), randomBytes(AUDIT_BYTES))
  git('init', '-q', '-b', 'main')
  repository.commit()
  return repository
}
