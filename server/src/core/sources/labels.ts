import { refuse } from '../errors.ts'
import { looksLikeId } from '../ids.ts'

/** What a client says of where a scan belongs; each of them optional. */
export interface Labels {
  readonly project: string | undefined
  readonly ref: string | undefined
  readonly commit: string | undefined
  /** The upload holds every file of the project: what lies in others is gone. */
  readonly allFiles?: boolean | undefined
}

interface Form {
  readonly fields: readonly (readonly [name: string, value: string])[]
}

const MAX_LENGTH = 200

export const labelNames = ['project', 'ref', 'commit'] as const

/** A misspelt label would put a scan where nobody looks for it. */
export function refuseUnknownFields(given: readonly string[], allowed: readonly string[]): void {
  const unknown = given.find((name) => !allowed.includes(name))
  if (unknown === undefined) return
  const shown = unknown.replace(/[^\x20-\x7e]/g, '?').slice(0, 60)
  refuse('invalid', `Unknown field: ${shown}. Allowed: ${allowed.join(', ')}.`)
}

/** Fields of a form. */
export const labelsOfForm = ({ fields }: Form): Labels =>
  readLabels((name) => fields.find(([field]) => field === name)?.[1])

/** Fields of a JSON document. */
export const labelsOfDocument = (document: Readonly<Record<string, unknown>>): Labels =>
  readLabels((name) => document[name])

function readLabels(given: (name: string) => unknown): Labels {
  const label = (name: string): string | undefined => {
    const value = given(name)
    if (value === undefined || value === '') return undefined
    if (typeof value !== 'string' || value.length > MAX_LENGTH || /\p{Cc}/u.test(value))
      return refuse('invalid', `${name} must be a text of at most ${MAX_LENGTH} characters.`)
    return value.trim() || undefined
  }
  const project = label('project')
  // Scans without a project are kept under their own id.
  if (project !== undefined && looksLikeId('scan', project))
    return refuse('invalid', 'project must not have the form of a scan id.')
  const allFiles = readFlag(given('allFiles'))
  return {
    project,
    ref: label('ref')?.replace(/^refs\/heads\//, ''),
    commit: label('commit'),
    ...(allFiles && { allFiles }),
  }
}

function readFlag(value: unknown): boolean {
  if (value === undefined || value === '' || value === false || value === 'false') return false
  return value === true || value === 'true' || refuse('invalid', 'allFiles must be true or false.')
}
