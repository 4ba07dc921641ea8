import { createContext } from 'react'

export interface RefusedField {
  readonly field: string
  /** What follows the name of the field: `must be a valid email address.` */
  readonly rule: string
}

/** The service names the field that it refuses before the rule: `email must be a valid e-mail address.` */
export function refusedField(error: unknown): RefusedField | null {
  const [, field, rule] = /^([a-z]\w*) ((?:is|must|has) .+)$/s.exec(error instanceof Error ? error.message : '') ?? []
  return field && rule ? { field, rule: rule.replaceAll('e-mail', 'email') } : null
}

/** Of the form around it: the refused field that it has, and the error that says so. */
export const RefusedFieldContext = createContext<(RefusedField & { error: unknown }) | null>(null)
