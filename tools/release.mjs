// Makes what a release consists of: the packages, their bill of materials, checksums, and a statement of what they were built from.
//   npm run release [-- <folder>] [--with-changes]      into `release` unless a folder is named
//   npm run release -- --verify <folder>                builds again and compares the checksums
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { Failure, isMain, main, root, say } from './project.mjs'
import { runCommand } from './run-command.mjs'
import { billOfMaterials } from './sbom.mjs'
import { setup } from './setup.mjs'

const CHECKSUMS = 'SHA256SUMS'
const STATEMENT = 'provenance.intoto.json'
const locks = ['package-lock.json', 'prover/packages/package-lock.json']

const sha256 = (content) => createHash('sha256').update(content).digest('hex')
const digestOf = (path) => ({ sha256: sha256(readFileSync(path)) })

/**
 * An in-toto statement with SLSA's provenance, unsigned: the signature is the publisher's.
 * @param {{ subjects: { name: string, digest: { sha256: string } }[], commit?: string, repository?: string, startedOn: Date, finishedOn: Date, lockDigests: Record<string, { sha256: string }> }} facts
 */
export function toProvenance({ subjects, commit, repository, startedOn, finishedOn, lockDigests }) {
  const source = commit && { uri: repository ?? 'git+file:.', digest: { gitCommit: commit } }
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'urn:assay:npm-run-release:v1',
        externalParameters: { command: 'npm run release', source: source ? source.uri : 'a checkout with changes' },
        internalParameters: { node: process.version, platform: `${process.platform}-${process.arch}` },
        resolvedDependencies: [
          ...(source ? [source] : []),
          ...Object.entries(lockDigests).map(([uri, digest]) => ({ uri, digest })),
        ],
      },
      runDetails: {
        builder: { id: process.env.RELEASE_BUILDER ?? 'urn:assay:unsigned-local-build' },
        metadata: { startedOn: startedOn.toISOString(), finishedOn: finishedOn.toISOString() },
      },
    },
  }
}

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** What differs from the commit; a tree without git has no commit at all. */
function readChanges() {
  try {
    return git('status', '--porcelain')
  } catch {
    return 'This folder is not a git checkout.'
  }
}

/** The commit that a release is built from; none where the files differ from it. */
function readCommit(withChanges) {
  const changes = readChanges()
  if (!changes) return git('rev-parse', 'HEAD')
  if (withChanges) return undefined
  throw new Failure(
    `a release names the commit that it was built from, and these files differ from it:\n${changes}\nCommit them, or add --with-changes for a release that names no commit.`,
  )
}

async function pack(workspace, folder) {
  const code = await runCommand('npm', ['pack', '--workspace', workspace, '--silent', '--pack-destination', folder], {
    cwd: root,
    stdio: ['ignore', 'ignore', 2],
  })
  if (code !== 0) throw new Failure(`npm pack --workspace ${workspace} ended with code ${code}.`)
}

/** The packages and the bill of materials, in an empty folder. */
async function makeArtifacts(folder) {
  await setup('start')
  await build(['cli', 'downloads'])
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const downloads = join(root, 'downloads', 'dist')
  copyFileSync(join(downloads, 'assay-cli.tgz'), join(folder, `assay-cli-${version}.tgz`))
  copyFileSync(join(downloads, 'assay-vscode.vsix'), join(folder, `assay-vscode-${version}.vsix`))
  await pack('client', folder)
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOfMaterials(), null, 2)}\n`)
  return readdirSync(folder).sort()
}

/** @param {{ folder: string, withChanges?: boolean, repository?: string }} options */
export async function release({ folder, withChanges = false, repository = process.env.RELEASE_REPOSITORY }) {
  const startedOn = new Date()
  const commit = readCommit(withChanges)
  mkdirSync(folder, { recursive: true })
  if (readdirSync(folder).length > 0) throw new Failure(`${folder} is not empty; name another folder, or empty it.`)
  const names = await makeArtifacts(folder)
  const subjects = names.map((name) => ({ name, digest: digestOf(join(folder, name)) }))
  const lockDigests = Object.fromEntries(locks.map((path) => [path, digestOf(join(root, path))]))
  const statement = toProvenance({ subjects, commit, repository, startedOn, finishedOn: new Date(), lockDigests })
  writeFileSync(join(folder, STATEMENT), `${JSON.stringify(statement, null, 2)}\n`)
  const listed = [...subjects, { name: STATEMENT, digest: digestOf(join(folder, STATEMENT)) }]
  writeFileSync(join(folder, CHECKSUMS), listed.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join(''))
  return listed
}

/** What another build of this checkout makes differently than the folder holds: one sentence each. */
export async function verify(folder) {
  const said = JSON.parse(readFileSync(join(folder, STATEMENT), 'utf8')).subject
  const again = mkdtempSync(join(tmpdir(), 'assay-release-'))
  try {
    const names = await makeArtifacts(again)
    const missing = names.filter((name) => !said.some((subject) => subject.name === name))
    return [
      ...missing.map((name) => `${name} is not in the statement.`),
      ...said.flatMap(({ name, digest }) => differences(name, digest, folder, names.includes(name) && again)),
    ]
  } finally {
    rmSync(again, { recursive: true, force: true })
  }
}

function differences(name, { sha256: stated }, folder, again) {
  if (!readdirSync(folder).includes(name)) return [`${name} is in the statement, and not in the folder.`]
  if (digestOf(join(folder, name)).sha256 !== stated) return [`${name} is not the file of the statement.`]
  if (!again || digestOf(join(again, name)).sha256 !== stated)
    return [`${name} differs from what this checkout builds.`]
  return []
}

if (isMain(import.meta.url)) {
  await main(async () => {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { 'with-changes': { type: 'boolean' }, verify: { type: 'boolean' } },
    })
    const folder = resolve(positionals[0] ?? join(root, 'release'))
    if (values.verify) {
      const faults = await verify(folder)
      if (faults.length > 0) throw new Failure(faults.join('\n'))
      say(`${folder}: every file is what this checkout builds.`)
      return 0
    }
    const made = await release({ folder, withChanges: values['with-changes'] })
    for (const { name, digest } of made) process.stdout.write(`${digest.sha256}  ${name}\n`)
    say(`the release is in ${folder}. The statement is unsigned: sign it as its publisher (docs/versioning.md).`)
    return 0
  })
}
