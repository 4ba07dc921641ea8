import type { Detector } from './detector.ts'
import floatingPragma from './floating-pragma.ts'

export const detectors: readonly Detector[] = [floatingPragma]
