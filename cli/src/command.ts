import type { ExitCode, Io } from './io.ts'

/** One option of a command; help, completion of values and the reference are made from it. */
export interface Option {
  readonly description: string
  /** `file`, `list`: what stands behind the option in the help. None: a switch. */
  readonly value?: string
  readonly choices?: readonly string[]
  readonly default?: string
  readonly short?: string
  /** May be given several times. */
  readonly isRepeatable?: boolean
  /** A whole number. */
  readonly isNumber?: boolean
  /** A file, or where imports lead: from a settings file it counts from there, and stays in its project. */
  readonly isPath?: boolean
  /** May also stand in assay.config.json; with an ending, only files that have it. */
  readonly inConfig?: boolean | RegExp
}

export type Options = Readonly<Record<string, Option>>

/** Switches become booleans, repeatable options lists, the others strings; absent without a default is undefined. */
export type Values<Given extends Options> = {
  readonly [Name in keyof Given]: Given[Name] extends { readonly value: string }
    ? Given[Name] extends { readonly isRepeatable: true }
      ? readonly string[]
      : Given[Name] extends { readonly default: string }
        ? string
        : string | undefined
    : boolean
}

export interface Run<Given extends Options> {
  readonly paths: readonly string[]
  readonly options: Values<Given>
  /** The options that were typed, rather than taken from their defaults. */
  readonly given: ReadonlySet<string>
  readonly io: Io
}

export interface Command<Given extends Options = Options> {
  readonly name: string
  readonly summary: string
  /** The words behind the name: `<files or folders…>`. */
  readonly parameters: string
  readonly details: readonly string[]
  readonly options: Given
  readonly examples: readonly { readonly line: string; readonly does: string }[]
  run(given: Run<Given>): Promise<ExitCode>
}

export const defineCommand = <const Given extends Options>(command: Command<Given>): Command<Given> =>
  Object.freeze(command)
