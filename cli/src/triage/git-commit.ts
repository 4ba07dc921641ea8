import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Complaint } from '../io.ts'
import { gitCommit as messages } from '../messages/triage.ts'
import { realPath } from '../project/boundary.ts'
import { isBelow } from '../project/scope.ts'

/** The Solidity files of a commit. */
export interface Commit {
  /** Where the repository lies, with links worked out. */
  readonly root: string
  /** Path from the root → id of what it says. */
  readonly files: ReadonlyMap<string, string>
  /** Of what decides which dependencies there are: submodules and lock files. Path → id. */
  readonly dependencies: ReadonlyMap<string, string>
  /** What stands behind ids. */
  read(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  /** The paths among these that .gitignore covers. */
  ignored(paths: readonly string[]): Promise<ReadonlySet<string>>
}

/**
 * Opens a commit by plumbing alone: `ls-tree` and `cat-file` touch neither the index nor the working tree, so no file system
 * monitor, filter, text conversion, external diff or hook that an untrusted `.git/config` names is ever run.
 */
export async function openCommit(folder: string, ref: string, shown: string): Promise<Commit> {
  // A name that looks like an option would be taken for one.
  if (ref.startsWith('-')) throw new Complaint(messages.mustNameCommit(shown))
  const root = findRepository(realPath(folder))
  if (root === undefined) throw new Complaint(messages.notGitRepository(shown))
  const git = (words: readonly string[], input = '') => runGit(root, words, input, shown)
  await refuseBorrowed(root, git, shown)
  const id = (await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])).toString().trim()
  const tree = (await git(['ls-tree', '-r', '-z', '--full-tree', id])).toString()
  return {
    root,
    files: new Map(tree.split('\0').flatMap(parseEntry)),
    dependencies: new Map(tree.split('\0').flatMap(parseDependency)),
    read: async (ids) => parseBatch(await git(['cat-file', '--batch'], ids.map((each) => `${each}\n`).join(''))),
    ignored: async (paths) => {
      if (paths.length === 0) return new Set()
      const listed = await git(
        ['check-ignore', '--no-index', '-z', '--stdin'],
        paths.map((path) => `${path}\0`).join(''),
      )
      return new Set(listed.toString().split('\0'))
    },
  }
}

function findRepository(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder
  return dirname(folder) === folder ? undefined : findRepository(dirname(folder))
}

/** `.git` may be a file that names a repository elsewhere: a work tree or a submodule, which that repository knows of. */
async function refuseBorrowed(root: string, git: (words: readonly string[]) => Promise<Buffer>, shown: string) {
  const home = realPath((await git(['rev-parse', '--absolute-git-dir'])).toString().trim())
  if (isBelow(home, root)) return
  const link = join(home, 'gitdir')
  if (existsSync(link) && realPath(readFileSync(link, 'utf8').trim()) === join(root, '.git')) return
  const config = existsSync(join(home, 'config')) ? readFileSync(join(home, 'config'), 'utf8') : ''
  const tree = /^\s*worktree\s*=\s*(.+?)\s*$/m.exec(config)?.[1]
  if (tree !== undefined && realPath(resolve(home, tree)) === root) return
  throw new Complaint(messages.gitNamesRepositoryOutside(shown, home))
}

/** `100644 blob <id>\t<path>` */
function parseEntry(entry: string): [string, string][] {
  const [, id = '', path = ''] = /^100\d{3} blob ([0-9a-f]+)\t([\s\S]+)$/.exec(entry) ?? []
  return path.endsWith('.sol') ? [[path, id]] : []
}

/** `160000 commit <id>\t<path>` is a submodule. */
function parseDependency(entry: string): [string, string][] {
  const [, mode = '', id = '', path = ''] = /^(\d{6}) \w+ ([0-9a-f]+)\t([\s\S]+)$/.exec(entry) ?? []
  return mode === '160000' || dependencyFile.test(path) ? [[path, id]] : []
}

const dependencyFile =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lock|soldeer\.lock|foundry\.lock)$/

/** `<id> blob <size>\n<bytes>\n` */
function parseBatch(bytes: Buffer): Map<string, string> {
  const texts = new Map<string, string>()
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\n', at)
    const [id = '', , size = '0'] = bytes.toString('utf8', at, end).split(' ')
    texts.set(id, bytes.toString('utf8', end + 1, end + 1 + Number(size)))
    at = end + 1 + Number(size) + 1
  }
  return texts
}

const maxBytes = 256 * 1024 * 1024
const safely = [
  ...['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.pager=cat'],
  ...['--no-pager', '--no-optional-locks', '--no-replace-objects'],
]

function runGit(root: string, words: readonly string[], input: string, shown: string): Promise<Buffer> {
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...inherited } = process.env
  const env = { ...inherited, GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' }
  return new Promise((done, fail) => {
    const child = spawn('git', [...safely, '-C', root, ...words], { env, stdio: 'pipe' })
    const chunks: Buffer[] = []
    let length = 0
    let reason = ''
    child.stdout.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length <= maxBytes) chunks.push(chunk)
      else child.kill()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      reason += chunk.toString()
    })
    child.once('error', (error: NodeJS.ErrnoException) =>
      fail(new Complaint(`${shown}: ${error.code === 'ENOENT' ? messages.needsGitWhichNot : error.message}.`)),
    )
    child.once('close', (code) => {
      // `check-ignore` says by 1 that there is nothing.
      if (code === 0 || (code === 1 && words[0] === 'check-ignore')) done(Buffer.concat(chunks))
      else fail(new Complaint(`${shown}: ${reason.trim().split('\n')[0] || messages.thereNoSuchCommit}.`))
    })
    // It may end before it has read everything, which its exit code tells.
    child.stdin.on('error', () => {})
    child.stdin.end(input)
  })
}
