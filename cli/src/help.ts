import type { Command, Option } from './command.ts'
import { help as texts } from './messages/program.ts'
import { wrap } from './output/wrap.ts'

const width = 96

/** What `assay help` prints. */
export function overview(commands: readonly Command[]): string {
  const names = commands.map(({ name, parameters }) => `${name} ${parameters}`.trim())
  const column = Math.max(...names.map((name) => name.length)) + 2
  return [
    texts.assayFindsVulnerabilitiesSolidity,
    '',
    'Usage: assay <command> [options]',
    '',
    'Commands',
    ...commands.map(({ summary }, index) => `  ${(names[index] ?? '').padEnd(column)}${summary}`),
    texts.showHelpCommand('help [command]'.padEnd(column)),
    '',
    'Options',
    `  ${'--version'.padEnd(column)}Print the version.`,
    `  ${'--help'.padEnd(column)}Print help.`,
    '',
    'First result: assay scan <your contracts folder>',
  ].join('\n')
}

/** What `assay help <command>` prints. */
export function usage(command: Command): string {
  const options = Object.entries(command.options)
  const labels = options.map(([name, option]) => labelOf(name, option))
  const column = Math.min(30, Math.max(0, ...labels.map((label) => label.length)) + 2)
  return [
    `${command.summary}`,
    '',
    `Usage: assay ${command.name} ${[command.parameters, ...(options.length > 0 ? ['[options]'] : [])].filter(Boolean).join(' ')}`,
    '',
    ...command.details.flatMap((text) => wrap(text, width)),
    '',
    'Options',
    ...options.flatMap(([, option], index) => optionLines(labels[index] ?? '', option, column)),
    '',
    'Examples',
    ...command.examples.flatMap(({ line, does }) => [`  ${line}`, `      ${does}`]),
  ].join('\n')
}

export const labelOf = (name: string, { short, value }: Option): string =>
  `${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`

/** The description with what may be given and what holds otherwise. */
export function describe({ description, choices, default: fallback }: Option): string {
  const extras = [...(choices ? [`One of ${choices.join(', ')}.`] : []), ...(fallback ? [`Default: ${fallback}.`] : [])]
  return [description, ...extras].join(' ')
}

function optionLines(label: string, option: Option, column: number): string[] {
  const [first = '', ...rest] = wrap(describe(option), width - column - 2)
  const indent = ' '.repeat(column + 2)
  const head = label.length + 2 > column ? [`  ${label}`, `${indent}${first}`] : [`  ${label.padEnd(column)}${first}`]
  return [...head, ...rest.map((line) => `${indent}${line}`)]
}
