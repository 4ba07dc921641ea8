import type { Link } from './link.ts'
import type { Paint } from './paint.ts'

/** How a report is laid out for a terminal. */
export interface TextOptions {
  readonly paint: Paint
  readonly link: Link
  readonly columns: number
  /** One line per finding and nothing else. */
  readonly isQuiet: boolean
  /** Everything with its code, however much it is. */
  readonly isDetailed: boolean
  readonly groupBy: 'kind' | 'file'
  readonly limit: number
}
