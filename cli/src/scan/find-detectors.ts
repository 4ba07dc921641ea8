import { aliasesOf, detectors, findDetectors } from '@assay/engine'
import { closest } from '../parse-options.ts'

export { detectors, findDetectors }

export function unknownDetector(name: string): string {
  const near = closest(
    name.toLowerCase(),
    detectors.flatMap((detector) => [detector.id, ...aliasesOf(detector)]),
  )
  return `there is no such detector.${near ? ` Did you mean ${near}?` : ''} \`assay detectors\` lists them.`
}
