import type { Command } from '../cli/src/command.ts'
import { commands } from '../cli/src/commands/index.ts'
import { scanOptions } from '../cli/src/commands/scan.ts'
import { describe, labelOf, overview } from '../cli/src/help.ts'
import { configName, configSchema, configurable } from '../cli/src/project/config-file.ts'
import { usage as adminUsage } from '../server/src/admin/commands.ts'
import type { GeneratedFile } from './generated-file.ts'

/** The references of both commands, from the tables that also make their help. */
export function generateCli(): GeneratedFile[] {
  return [
    { path: 'docs/reference/cli.md', content: commandPage() },
    { path: 'docs/reference/admin.md', content: adminPage() },
    { path: 'cli/assay.config.schema.json', content: `${JSON.stringify(configSchema(scanOptions), null, 2)}\n` },
  ]
}

function commandPage(): string {
  return [
    '# The command line',
    '',
    '```text',
    overview(commands),
    '```',
    '',
    ...commands.flatMap(section),
    ...settingsSection(),
    '## Exit codes',
    '',
    '| code | meaning |',
    '|---|---|',
    '| 0 | done; nothing at or above `--fail-on` |',
    '| 1 | done; a finding at or above `--fail-on` (with `--baseline`: a new one) |',
    '| 2 | not done, or not completely: a wrong option, a missing file, a file that is no Solidity or took too long |',
    '',
    '_Generated from the command table; do not edit._',
    '',
  ].join('\n')
}

function settingsSection(): string[] {
  const settings = [...configurable(scanOptions)].map(([key, [name]]) => `| \`${key}\` | \`--${name}\` |`)
  return [
    `## ${configName}`,
    '',
    'Settings of `assay scan`, looked for from the scanned path upwards to the root of the repository. What is typed wins over what is',
    'written down. The JSON schema is `assay.config.schema.json` of the package; an editor takes it by `"$schema"`.',
    '',
    '```json',
    JSON.stringify(
      {
        $schema: './node_modules/@assay/cli/assay.config.schema.json',
        exclude: ['contracts/legacy/**'],
        failOn: 'medium',
        baseline: ['assay.triage.json'],
      },
      null,
      2,
    ),
    '```',
    '',
    '| setting | option |',
    '|---|---|',
    ...settings,
    '',
  ]
}

function adminPage(): string {
  return [
    '# Operator commands',
    '',
    'They work beside a running service and read the same settings (`DATA_DIR`, `DATABASE_URL`, `MASTER_SECRET` …).',
    '',
    '```text',
    adminUsage().trimEnd(),
    '```',
    '',
    '_Generated from the command table; do not edit._',
    '',
  ].join('\n')
}

function section(command: Command): string[] {
  const options = Object.entries(command.options)
  return [
    `## assay ${command.name}`,
    '',
    command.summary,
    '',
    '```text',
    `assay ${command.name} ${command.parameters}`.trim(),
    '```',
    '',
    ...command.details.flatMap((text) => [text, '']),
    '| option | meaning |',
    '|---|---|',
    ...options.map(([name, option]) => `| \`${labelOf(name, option)}\` | ${describe(option).replaceAll('|', '\\|')} |`),
    '',
    ...command.examples.flatMap(({ line, does }) => [`${does}`, '', '```sh', line, '```', '']),
  ]
}
