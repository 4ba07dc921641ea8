/** Everything a command may touch of the world around it; tests hand in their own. */
export interface Io {
  /** Relative paths start here. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Results, and nothing else. */
  readonly out: Terminal
  /** Progress and complaints. */
  readonly err: Terminal
  readStdin(): Promise<Uint8Array>
  /** Asks the person at the terminal; undefined when there is nobody, or no more. */
  prompt(question: string): Promise<string | undefined>
  /** Ends when the person at the terminal wants an end. */
  interrupted(): Promise<void>
}

export interface Terminal {
  readonly isTerminal: boolean
  readonly columns: number
  write(text: string): void
}

/** Exit codes of every command. */
export const exit = { clean: 0, findings: 1, failed: 2 } as const
export type ExitCode = (typeof exit)[keyof typeof exit]

/** Ends a command with these words and exit code 2. */
export class Complaint extends Error {}
