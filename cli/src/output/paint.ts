import { styleText } from 'node:util'
import type { Io } from '../io.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'magenta' | 'cyan'
export type Paint = (style: Style | readonly Style[], text: string) => string

const plain: Paint = (_style, text) => text
// Whether there is colour is decided below, once; newer versions of Node would decide again for each text.
const coloured: Paint = (style, text) =>
  text === '' ? '' : styleText(typeof style === 'string' ? style : [...style], text, { validateStream: false })

/** Colours on request; else on a terminal that does not object (https://no-color.org). */
export function choosePaint(choice: string, { out, environment }: Pick<Io, 'out' | 'environment'>): Paint {
  if (choice === 'always') return coloured
  if (choice === 'never' || environment.NO_COLOR) return plain
  if (environment.FORCE_COLOR && environment.FORCE_COLOR !== '0') return coloured
  return out.isTerminal && environment.TERM !== 'dumb' ? coloured : plain
}
