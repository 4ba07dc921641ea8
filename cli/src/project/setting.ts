/**
 * Something that a file of the project set. Such a file travels with the source, so the reader of a result must see what it
 * changed: every output lists these.
 */
export interface Setting {
  /** Absolute where it is read, as printed in a result. */
  readonly file: string
  readonly key: string
  readonly value: string
}

const maxShown = 200

/** A value on one line; a long list is cut, because the file itself can be read. */
export function toSetting(file: string, key: string, value: unknown): Setting {
  const text = Array.isArray(value) ? value.map(String).join(', ') : String(value)
  return { file, key, value: text.length > maxShown ? `${text.slice(0, maxShown)}…` : text }
}

export const settingLine = ({ file, key, value }: Setting): string => `${file}: ${key} = ${value}`
