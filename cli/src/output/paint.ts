import type { Io } from '../io.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'
export type Paint = (style: Style | readonly Style[], text: string) => string

const codes: Record<Style, number> = {
  bold: 1,
  dim: 2,
  red: 31,
  green: 32,
  yellow: 33,
  blue: 34,
  magenta: 35,
  cyan: 36,
}

const plain: Paint = (_style, text) => text
const coloured: Paint = (style, text) => {
  const styles = typeof style === 'string' ? [style] : style
  return text === '' ? '' : `\x1b[${styles.map((name) => codes[name]).join(';')}m${text}\x1b[0m`
}

/** Colours when asked for; else on a terminal that does not object (https://no-color.org). */
export function choosePaint(choice: string, { out, environment }: Io): Paint {
  if (choice === 'always') return coloured
  if (choice === 'never' || environment.NO_COLOR) return plain
  if (environment.FORCE_COLOR && environment.FORCE_COLOR !== '0') return coloured
  return out.isTerminal && environment.TERM !== 'dumb' ? coloured : plain
}
