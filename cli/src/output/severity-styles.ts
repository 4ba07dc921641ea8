import type { Rating, Severity } from '@assay/engine'
import type { Style } from './paint.ts'

export const severityStyles: Record<Severity, readonly Style[]> = {
  critical: ['magenta', 'bold'],
  high: ['red', 'bold'],
  medium: ['yellow', 'bold'],
  low: ['cyan', 'bold'],
  info: ['blue', 'bold'],
}

export const ratingStyles: Record<Rating, Style> = {
  Excellent: 'green',
  Good: 'green',
  Fair: 'yellow',
  Poor: 'red',
  Critical: 'red',
}
