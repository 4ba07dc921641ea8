import type { ContractOutline, StorageChange } from '@assay/engine'
import { defineCommand } from '../command.ts'
import { readProjectSources, sourceOptions, toSourceRequest } from '../input/read-project.ts'
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
  parameters: '<old.sol> <new.sol>',
  details: [texts.variablesMoveChangeType, texts.baseContractNotFound, texts.exitCodeCompatibleIncompatible],
  options: {
    contract: { value: 'name', description: texts.contractNameBothFiles },
    'new-contract': { value: 'name', description: texts.contractNameNewFile },
    json: { description: texts.writeChangesAsJson },
    ...sourceOptions,
  },
  examples: [
    {
      line: texts.assayDiffStorageVault,
      does: texts.beforeUpgrade,
    },
  ],

  async run({ paths, options, io }) {
    const [before, after, ...others] = paths
    if (before === undefined || after === undefined || others.length > 0)
      throw new Complaint('Name two files: assay diff-storage <old.sol> <new.sol>.')
    const old = await contractsIn(before, options, io)
    const now = await contractsIn(after, options, io)
    const { compareStorage } = await import('../show/outline-of.ts')
    const pairs = pairsOf(old, now, options.contract, options['new-contract'])
    const unknown = pairs.flatMap(([a, b]) => [a, b]).filter(({ unreadBases }) => unreadBases.length > 0)
    for (const { path, name, unreadBases } of unknown)
      io.err.write(
        safeText(texts.assaySlotsUnknownNot(printableName(path), name, printableName(unreadBases.join(', ')))),
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
    if (unknown.length > 0) return exit.failed
    return (hasProblem ? exit.findings : exit.clean) as ExitCode
  },
})

async function contractsIn(
  path: string,
  options: Parameters<typeof toSourceRequest>[1],
  io: Io,
): Promise<ContractOutline[]> {
  const sources = await readProjectSources(toSourceRequest([path], options), io)
  reportProject(sources, io)
  if (sources.unreadable.length > 0) throw new Complaint(texts.couldNotRead(path))
  const { outlineOf } = await import('../show/outline-of.ts')
  return (await outlineOf(sources)).filter(({ kind }) => kind !== 'interface')
}

function pairsOf(
  old: readonly ContractOutline[],
  now: readonly ContractOutline[],
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
