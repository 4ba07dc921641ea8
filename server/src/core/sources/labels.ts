import { refuse } from '../errors.ts'

/** What a client says of where a scan belongs; each of them optional. */
export interface Labels {
  readonly project: string | undefined
  readonly ref: string | undefined
  readonly commit: string | undefined
}

interface Form {
  readonly fields: readonly (readonly [name: string, value: string])[]
}

const MAX_LENGTH = 200

export const labelNames = ['project', 'ref', 'commit'] as const

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
    return value.trim()
  }
  return { project: label('project'), ref: label('ref'), commit: label('commit') }
}
