import { detectors } from '@assay/engine'
import { closest } from '../parse-options.ts'

export { detectors }

/** All detectors that a name may mean: one by id, several by SWC number. */
export const findDetectors = (name: string) => {
  const wanted = name.toLowerCase()
  return detectors.filter(({ id, swc }) => id === wanted || swc?.toLowerCase() === wanted || swc === `SWC-${wanted}`)
}

export function unknownDetector(name: string): string {
  const near = closest(
    name.toLowerCase(),
    detectors.flatMap(({ id, swc }) => (swc ? [id, swc] : [id])),
  )
  return `there is no such detector.${near ? ` Did you mean ${near}?` : ''} \`assay detectors\` lists them.`
}
