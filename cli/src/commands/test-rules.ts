import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { defineCommand } from '../command.ts'
import { shownPath } from '../input/collect-files.ts'
import { Complaint, type ExitCode, exit } from '../io.ts'
import { testRules as texts } from '../messages/commands.ts'
import { plural } from '../output/plural.ts'
import { printableName } from '../output/printable.ts'

/** Holds a user's own rules against their fixtures. */
export const testRules = defineCommand({
  name: 'test-rules',
  summary: texts.testRulesYourOwn,
  parameters: '<rules> [folder of fixtures]',
  details: [texts.fixtureSolidityFileExpect, texts.exitCodeAllHold],
  options: {},
  examples: [
    { line: texts.assayTestRulesRules, does: 'Against rules/fixtures/*.sol.' },
    { line: texts.assayTestRulesYaml, does: texts.rulesWithoutCode },
  ],

  async run({ paths: [module, folder, ...others], io }) {
    if (module === undefined || others.length > 0)
      throw new Complaint('Name a module or a YAML file: assay test-rules <rules> [folder of fixtures].')
    const location = resolve(io.folder, module)
    const { checkFixture, failureWords, loadRules, RuleThrew, toRuleFailure } = await import('../rules/index.ts')
    const rules = await loadRules([location])
    const home = folder === undefined ? join(dirname(location), 'fixtures') : resolve(io.folder, folder)
    const files = listFixtures(home)
    const checks = files.map((file) => {
      const path = shownPath(join(home, file), io.folder)
      try {
        return { path, ...checkFixture(path, readFileSync(join(home, file), 'utf8'), rules) }
      } catch (error) {
        if (!(error instanceof RuleThrew)) throw error
        throw new Complaint(`${path}: ${failureWords(error.id, toRuleFailure(error.cause, [location], io.folder))}`)
      }
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
    throw new Complaint(texts.noSuchFolderFixtures(home))
  }
  if (files.length === 0) throw new Complaint(texts.noSolFilesFolder(home))
  return files
}
