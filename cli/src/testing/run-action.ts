import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

interface Step {
  readonly id?: string
  readonly if?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
  readonly shell?: string
  readonly run?: string
  readonly env?: Readonly<Record<string, string>>
  readonly 'working-directory'?: string
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Step[] }
}

export interface ActionRun {
  readonly inputs: Readonly<Record<string, string>>
  /** The checkout. */
  readonly workspace: string
  /** Where the runner keeps what belongs to the job. */
  readonly temp: string
  readonly github?: Readonly<Record<string, string>>
  /** Programs that stand in for those of the runner come first. */
  readonly path?: string
}

export interface ActionResult {
  readonly code: number
  readonly log: string
  readonly summary: string
  readonly outputs: Readonly<Record<string, string>>
  /** Other actions that would have been called, and with what. */
  readonly used: readonly string[]
  readonly given: readonly Readonly<Record<string, string>>[]
}

/** Runs a composite action as the runner does: step by step, expressions filled in, outputs by file, until one fails. */
export function runAction(file: string, given: ActionRun): ActionResult {
  const { inputs, runs } = parse(readFileSync(file, 'utf8')) as Action
  const values: Record<string, string> = {}
  for (const [name, { default: fallback }] of Object.entries(inputs)) values[`inputs.${name}`] = fallback ?? ''
  for (const [name, value] of Object.entries(given.inputs)) values[`inputs.${name}`] = value
  for (const [name, value] of Object.entries(given.github ?? {})) values[`github.${name}`] = value
  const used: string[] = []
  const withs: Record<string, string>[] = []
  let log = ''
  const summaryFile = join(given.temp, 'summary.md')
  for (const step of runs.steps) {
    if (step.if !== undefined && !isTrue(fill(step.if, values))) continue
    if (step.uses !== undefined) {
      used.push(step.uses)
      withs.push(Object.fromEntries(Object.entries(step.with ?? {}).map(([name, text]) => [name, fill(text, values)])))
      continue
    }
    const outputFile = join(given.temp, `output-${step.id ?? ''}`)
    const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''], {
      cwd: join(given.workspace, fill(step['working-directory'] ?? '.', values)),
      encoding: 'utf8',
      env: {
        ...process.env,
        ...(given.path ? { PATH: `${given.path}:${process.env.PATH}` } : {}),
        ...Object.fromEntries(Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, values)])),
        RUNNER_TEMP: given.temp,
        GITHUB_ACTIONS: 'true',
        GITHUB_WORKSPACE: given.workspace,
        GITHUB_OUTPUT: outputFile,
        GITHUB_STEP_SUMMARY: summaryFile,
      },
    })
    log += ended.stdout + ended.stderr
    for (const [, name, value] of read(outputFile).matchAll(/^([\w-]+)=(.*)$/gm))
      values[`steps.${step.id}.outputs.${name}`] = value ?? ''
    if (ended.status !== 0)
      return {
        code: ended.status ?? 1,
        log,
        summary: read(summaryFile),
        outputs: outputsOf(values),
        used,
        given: withs,
      }
  }
  return { code: 0, log, summary: read(summaryFile), outputs: outputsOf(values), used, given: withs }
}

const read = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '')

const outputsOf = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      name.startsWith('steps.scan.outputs.') ? [[name.slice(19), value]] : [],
    ),
  )

/** The part of the expression language that the action uses: names, texts, `==` and `&&`. */
const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluate(expression, values))

function evaluate(expression: string, values: Readonly<Record<string, string>>): string {
  const parts = expression.split('&&')
  if (parts.length > 1) return String(parts.every((part) => isTrue(evaluate(part, values))))
  const [left = '', right] = expression.split('==').map((side) => lookUp(side.trim(), values))
  return right === undefined ? left : String(left === right)
}

const lookUp = (word: string, values: Readonly<Record<string, string>>): string =>
  /^'(.*)'$/.exec(word)?.[1] ?? values[word] ?? ''

const isTrue = (text: string): boolean => text.trim() === 'true'
