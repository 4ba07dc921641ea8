import type { Client } from '../../client/src/index.ts'
import type { WalkReport } from './report.ts'
import type { Repository } from './repository.ts'

type Result = Awaited<ReturnType<Client['scans']['wait']>>

const contract = (name: string, body: string): string =>
  `pragma solidity 0.8.26;\ncontract ${name} {\n  function close() external {${body}}\n}\n`
const destroys = '\n    selfdestruct(payable(msg.sender));\n  '

/** What each branch has of the project's findings, as its records say. */
async function readStates(client: Client, project: string, ref: string): Promise<string[]> {
  const records = await client.findings.list({ project, limit: 100 }).toArray()
  return records.flatMap(({ detector, file, fingerprint, refs }) =>
    refs.filter((one) => one.ref === ref).map(({ state }) => `${state} ${detector} ${file} ${fingerprint}`),
  )
}

/**
 * Every line of the project moves, and on each of two branches a contract comes, has its finding, and loses it. Nothing but these two
 * findings may change, and each on its own branch.
 */
export async function walkVersions(repository: Repository, client: Client, report: WalkReport): Promise<void> {
  const { name: project } = repository
  const [onMain, onBranch] = [repository.besideSources('WalkMain.sol'), repository.besideSources('WalkBranch.sol')]
  const states = (ref: string) => readStates(client, project, ref)
  const scan = async (ref: string, baseline?: Result): Promise<Result> => {
    const commit = repository.commit()
    const file = { name: `${project}.zip`, content: new Uint8Array(repository.archive()) }
    const compared = baseline ? { baseline: baseline.scanId } : {}
    const { scanId } = await client.scans.queue({ file, project, ref, commit, allFiles: 'true', ...compared })
    return client.scans.wait(scanId)
  }
  const check = async (
    step: string,
    { dataVulnerabilities, completeness, baseline }: Result,
    expected: Record<string, readonly string[]>,
  ) => {
    const verdicts: string[] = []
    for (const [ref, lines] of Object.entries(expected))
      verdicts.push(`${ref} ${report.compare(`${project}, ${step}, ${ref}`, lines, await states(ref))}`)
    const changed = baseline && [
      ...baseline.fixed,
      ...dataVulnerabilities.filter(({ baselineState }) => baselineState === 'new'),
    ]
    const elsewhere = changed?.filter(({ file }) => file !== onMain).map(({ title, file }) => `${title} in ${file}`)
    if (elsewhere?.length) verdicts.push(report.fail(`${project}, ${step}, baseline`, elsewhere.join(', ')))
    if (baseline) verdicts.push(`${baseline.newCount} new, ${baseline.fixedCount} fixed`)
    report.row({ project, step, findings: dataVulnerabilities.length, completeness, verdict: verdicts.join('; ') })
  }
  const within = (lines: readonly string[], file: string): string[] => {
    const own = lines.filter((line) => line.includes(` ${file} `))
    if (own.length === 0) report.fail(project, `${file} has no finding`)
    return own
  }
  const fixed = (lines: readonly string[]): string[] => lines.map((line) => line.replace(/^open/, 'fixed'))

  const first = await scan('main')
  const original = await states('main')
  repository.branch('feature')
  repository.branch('main')
  for (const [path, content] of repository.sources()) repository.write(path, `// moved\n\n${content}`)
  repository.write(onMain, contract('WalkMain', destroys))
  const second = await scan('main', first)
  const added = within(await states('main'), onMain)
  await check('changed version', second, { main: [...original, ...added] })

  repository.branch('feature')
  repository.write(onBranch, contract('WalkBranch', destroys))
  const third = await scan('feature')
  const branched = within(await states('feature'), onBranch)
  await check('branch', third, { main: [...original, ...added], feature: [...original, ...branched] })

  repository.branch('main')
  repository.write(onMain, contract('WalkMain', ''))
  const fourth = await scan('main', second)
  await check('fixed on main', fourth, { main: [...original, ...fixed(added)], feature: [...original, ...branched] })

  repository.branch('feature')
  repository.delete(onBranch)
  const fifth = await scan('feature')
  await check('deleted on the branch', fifth, {
    main: [...original, ...fixed(added)],
    feature: [...original, ...fixed(branched)],
  })
}
