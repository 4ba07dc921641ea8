import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { shownPath } from '../input/collect-files.ts'
import { Complaint, type ExitCode, exit } from '../io.ts'
import { plural } from '../output/plural.ts'
import { printableName } from '../output/printable.ts'

/** Holds somebody's own rules against their fixtures. */
export const testRules = defineCommand({
  name: 'test-rules',
  summary: 'Test rules of your own against fixtures with marks on their lines.',
  parameters: '<module> [folder of fixtures]',
  details: [
    'A fixture is a Solidity file: `// expect: <id>` on each line that must be reported, `// safe: <id>/<excuse> <why>` on a near miss. The lines reported must equal the lines marked, and an excuse is switched off to prove that it alone keeps its line silent. Default: the folder `fixtures` beside the module.',
    'Exit code 0: all hold. 1: one does not. 2: the rules or the fixtures could not be read.',
  ],
  options: {},
  examples: [{ line: 'assay test-rules rules/no-block-number.mjs', does: 'Against rules/fixtures/*.sol.' }],

  async run({ paths: [module, folder, ...others], io }) {
    if (module === undefined || others.length > 0)
      throw new Complaint('Name a module: assay test-rules <module> [folder of fixtures].')
    const location = resolve(io.folder, module)
    const { checkFixture, loadRules } = await import('../rules/index.ts')
    const rules = await loadRules([location])
    const home = folder === undefined ? join(dirname(location), 'fixtures') : resolve(io.folder, folder)
    const files = listFixtures(home)
    const checks = files.map((file) => {
      const path = shownPath(join(home, file), io.folder)
      return { path, ...checkFixture(path, readFileSync(join(home, file), 'utf8'), rules) }
    })
    const proven = new Set(checks.flatMap((check) => check.proven))
    const unproven = rules
      .flatMap(({ id, excuses = [] }) => excuses.map(({ name }) => `${id}/${name}`))
      .filter((excuse) => !proven.has(excuse))
      .map((excuse) => `${excuse} is proven by no fixture: mark a line with // safe: ${excuse} <why>`)
    const problems = [...checks.flatMap((check) => check.problems), ...unproven]
    for (const { path, problems: own } of checks) if (own.length === 0) io.out.write(`ok  ${printableName(path)}\n`)
    for (const problem of problems) io.out.write(`not ok  ${printableName(problem)}\n`)
    io.out.write(
      `${plural(rules.length, 'rule')}, ${plural(files.length, 'fixture')}, ${plural(proven.size, 'excuse')} proven, ${plural(problems.length, 'problem')}\n`,
    )
    return (problems.length > 0 ? exit.findings : exit.clean) as ExitCode
  },
})

function listFixtures(home: string): string[] {
  let files: string[]
  try {
    files = readdirSync(home)
      .filter((file) => file.endsWith('.sol'))
      .sort()
  } catch {
    throw new Complaint(`${home}: no such folder of fixtures.`)
  }
  if (files.length === 0) throw new Complaint(`${home}: no .sol files in this folder.`)
  return files
}
