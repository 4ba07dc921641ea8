import { refuse } from '../core/errors.ts'
import type { Upload } from './upload.ts'

/** What a client says of where a scan belongs; each of them optional. */
export interface Labels {
  readonly project: string | undefined
  readonly ref: string | undefined
  readonly commit: string | undefined
}

const MAX_LENGTH = 200

/** Fields of the form or of the JSON document. */
export function readLabels({ fields, document }: Upload): Labels {
  const given = (name: string): unknown =>
    document === undefined
      ? fields.find(([field]) => field === name)?.[1]
      : (document as Record<string, unknown> | null)?.[name]
  const label = (name: string): string | undefined => {
    const value = given(name)
    if (value === undefined || value === '') return undefined
    if (typeof value !== 'string' || value.length > MAX_LENGTH || /\p{Cc}/u.test(value))
      return refuse('invalid', `${name} must be a text of at most ${MAX_LENGTH} characters.`)
    return value.trim()
  }
  return { project: label('project'), ref: label('ref'), commit: label('commit') }
}
