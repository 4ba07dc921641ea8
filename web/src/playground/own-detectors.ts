// By its path, not by its name: the build of the pages loads this file before the workspaces can be resolved.
import { detectors } from '../../../engine/src/detectors/index.ts'
import { severities } from '../components/severities.ts'

export interface OwnDetectors {
  readonly count: number
  readonly all: number
  /** The most severe of them. */
  readonly first: readonly { readonly id: string; readonly title: string }[]
}

const mostNamed = 6

/** Detectors for which the crosswalk names no counterpart in Slither or Aderyn. */
export function ownDetectors(): OwnDetectors {
  const own = detectors
    .filter(({ aliases }) => !aliases?.slither?.length && !aliases?.aderyn?.length)
    .sort((a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity))
  return { count: own.length, all: detectors.length, first: own.slice(0, mostNamed) }
}
