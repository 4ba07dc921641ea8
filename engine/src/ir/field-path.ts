import type { Location } from './ir.ts'

/** The fields that lead to a place, lengths of lists included: `.owner`, `.terms.rate`, `.members.length`; elements are not distinguished. */
export const fieldPath = (place: Location): string => {
  if (place.parent === null) return ''
  let path = ''
  for (let at: Location | null = place; at !== null; at = at.parent) {
    if (at.part === 'field') path = `.${at.name}${path}`
    else if (at.part === 'length') path = `.length${path}`
  }
  return path
}

/** Where the way to a place begins: a variable, a slot or an object in memory. */
export const rootOf = (place: Location): Location => {
  let root = place
  while (root.parent !== null) root = root.parent
  return root
}
