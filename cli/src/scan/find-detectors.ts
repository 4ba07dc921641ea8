import { aliasesOf, detectors, findDetectors, searchDetectors } from '@assay/engine'
import { findDetectors as texts } from '../messages/scan.ts'
import { closest } from '../parse-options.ts'

export { detectors, findDetectors, searchDetectors }

export function unknownDetector(name: string): string {
  const near = closest(
    name.toLowerCase(),
    detectors.flatMap((detector) => [detector.id, ...aliasesOf(detector)]),
  )
  return texts.thereNoSuchDetector(near ? texts.didYouMean(near) : '')
}
