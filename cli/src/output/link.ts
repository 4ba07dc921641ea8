import { isAbsolute, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Io } from '../io.ts'

/** A path as the terminal shows it, a link where the terminal knows links. */
export type Link = (shown: string, path: string) => string

/** Terminals that are known to understand links; others would print the address. */
function knowsLinks({ environment, out }: Io): boolean {
  if (environment.FORCE_HYPERLINK) return environment.FORCE_HYPERLINK !== '0'
  if (!out.isTerminal || environment.CI || environment.TERM === 'dumb') return false
  const program = environment.TERM_PROGRAM ?? ''
  return (
    ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper'].includes(program) ||
    Number(environment.VTE_VERSION ?? 0) >= 5000 ||
    environment.WT_SESSION !== undefined ||
    environment.TERM === 'xterm-kitty'
  )
}

export function chooseLink(io: Io): Link {
  if (!knowsLinks(io)) return (shown) => shown
  return (shown, path) => {
    const location = isAbsolute(path) ? path : resolve(io.folder, path)
    return `\x1b]8;;${pathToFileURL(location).href}\x1b\\${shown}\x1b]8;;\x1b\\`
  }
}
