import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { ContractOutline, StorageChange, StorageEntry } from '@assay/engine'
import { defineCommand } from '../command.ts'
import {
  readProjectSources,
  type SourceRequest,
  type SourceValues,
  sourceOptions,
  toSourceRequest,
} from '../input/read-project.ts'
import { Complaint, type ExitCode, exit, type Io } from '../io.ts'
import { diffStorage as texts } from '../messages/commands.ts'
import { choosePaint } from '../output/paint.ts'
import { safeText } from '../output/pipeline-safe.ts'
import { printable, printableName } from '../output/printable.ts'
import { reportProject } from '../output/report-project.ts'

/** Compares the storage of two versions before an upgrade. */
export const diffStorage = defineCommand({
  name: 'diff-storage',
  summary: texts.compareStorageLayoutTwo,
  parameters: '<old> [<new>]',
  details: [
    texts.twoFilesTwoCommits,
    texts.variablesMoveChangeType,
    texts.baseContractNotFound,
    texts.exitCodeCompatibleIncompatible,
  ],
  options: {
    contract: { value: 'name', description: texts.contractNameBothFiles },
    'new-contract': { value: 'name', description: texts.contractNameNewFile },
    all: { description: texts.alsoContractsNotLook },
    json: { description: texts.writeChangesAsJson },
    ...sourceOptions,
  },
  examples: [
    {
      line: texts.assayDiffStorageVault,
      does: texts.beforeUpgrade,
    },
    { line: texts.assayDiffStorageHead, does: texts.whatUncommittedChangesMove },
  ],

  async run({ paths, options, io }) {
    const isCommits = paths.length > 0 && paths.every((word) => isCommit(word, io))
    const sides = isCommits ? await commitSides(paths, options, io) : await fileSides(paths, options, io)
    const { compareStorage } = await import('../show/outline-of.ts')
    const isWanted = ({ name, isUpgradeable }: ContractOutline) =>
      !isCommits || options.all || options.contract === name || isUpgradeable
    const pairs = pairsOf(sides, options.contract, options['new-contract']).filter(([, now]) => isWanted(now))
    if (pairs.length === 0) io.err.write(texts.assayNoUpgradeableContract)
    const unknown = pairs.flat().filter(({ unreadBases }) => unreadBases.length > 0)
    for (const { path, name, unreadBases } of unknown)
      io.err.write(
        safeText(texts.assaySlotsUnknownNot(printableName(path), name, printableName(unreadBases.join(', ')))),
      )
    const isForeign = ({ file }: StorageEntry) => sides.differing.some((path) => isOf(path, file))
    const unsure = pairs.flat().filter(({ storage }) => storage.some(isForeign))
    if (unsure.length > 0)
      io.err.write(
        safeText(
          texts.assayDependenciesDiffer(
            printableName(sides.differing.join(', ')),
            printableName([...new Set(unsure.map(({ name }) => name))].join(', ')),
          ),
        ),
      )
    const known = pairs.filter((pair) => pair.every(({ unreadBases }) => unreadBases.length === 0))
    const compared = known.map(([a, b]) => ({
      before: a.name,
      after: b.name,
      changes: compareStorage(a.storage, b.storage),
    }))
    if (options.json) io.out.write(`${JSON.stringify({ contracts: compared }, null, 2)}\n`)
    else for (const { before: a, after: b, changes } of compared) print(a === b ? a : `${a} → ${b}`, changes, io)
    const hasProblem = compared.some(({ changes }) => changes.some(({ level }) => level === 'problem'))
    if (unknown.length + unsure.length > 0) return exit.failed
    return (hasProblem ? exit.findings : exit.clean) as ExitCode
  },
})

interface Sides {
  readonly old: readonly ContractOutline[]
  readonly now: readonly ContractOutline[]
  /** Dependencies that are not the same on both sides, though only those on the disk can be read. */
  readonly differing: readonly string[]
}

/** Whether a file lies in what a submodule holds or a lock file installs. */
function isOf(dependency: string, file: string): boolean {
  const installed = { 'soldeer.lock': 'dependencies', 'foundry.lock': 'lib' }[basename(dependency)] ?? 'node_modules'
  const folder = /\.(lock|json|yaml)$/.test(dependency) ? join(dirname(dependency), installed) : dependency
  return `/${file}`.includes(`/${folder}/`)
}

/** What is not there as a file, and is not named like one, is a commit. */
const isCommit = (word: string, io: Io): boolean => !word.endsWith('.sol') && !existsSync(resolve(io.folder, word))

async function fileSides(paths: readonly string[], options: SourceValues, io: Io): Promise<Sides> {
  const [before, after, ...others] = paths
  if (before === undefined || after === undefined || others.length > 0) throw new Complaint(texts.nameTwoFilesCommits)
  const read = (path: string) => contractsIn(toSourceRequest([path], options), path, io)
  return { old: await read(before), now: await read(after), differing: [] }
}

/** Two commits, or one and what is on the disk now. */
async function commitSides(refs: readonly string[], options: SourceValues, io: Io): Promise<Sides> {
  const [before = '', after, ...others] = refs
  if (others.length > 0) throw new Complaint(texts.nameTwoFilesCommits)
  const { atCommit, differing } = await import('../triage/at-commit.ts')
  const request = toSourceRequest(['.'], options)
  const { sources } = await readProjectSources(request, io)
  const old = await atCommit(request, before, sources, io.folder)
  const now = await atCommit(request, after ?? 'HEAD', sources, io.folder)
  return {
    old: await contractsIn(old.request, before, io),
    now: await contractsIn(after === undefined ? request : now.request, after ?? '.', io),
    differing: differing(old.dependencies, now.dependencies),
  }
}

async function contractsIn(request: SourceRequest, shown: string, io: Io): Promise<ContractOutline[]> {
  const sources = await readProjectSources(request, io)
  reportProject(sources, io)
  if (sources.unreadable.length > 0) throw new Complaint(texts.couldNotRead(shown))
  const { outlineOf } = await import('../show/outline-of.ts')
  return (await outlineOf(sources)).filter(({ kind }) => kind !== 'interface')
}

function pairsOf(
  { old, now }: Sides,
  name: string | undefined,
  newName: string | undefined,
): [ContractOutline, ContractOutline][] {
  const pairs = old
    .filter((contract) => name === undefined || contract.name === name)
    .flatMap((contract): [ContractOutline, ContractOutline][] => {
      const same = now.find((each) => each.name === (newName ?? contract.name))
      return same ? [[contract, same]] : []
    })
  if (pairs.length > 0) return pairs
  const list = (contracts: readonly ContractOutline[]) => contracts.map((each) => each.name).join(', ') || 'none'
  throw new Complaint(texts.noContractNameBoth(list(old), list(now)))
}

function print(title: string, changes: readonly StorageChange[], io: Io): void {
  const paint = choosePaint('auto', io)
  const lines = changes.map(({ level, message }) =>
    level === 'problem'
      ? `  ${paint(['red', 'bold'], 'problem')}  ${printable(message)}`
      : `  ${paint('dim', 'note')}     ${printable(message)}`,
  )
  io.out.write(
    `${paint('bold', printable(title))}\n${(lines.length > 0 ? lines : [`  ${paint('green', 'unchanged')}`]).join('\n')}\n`,
  )
}
