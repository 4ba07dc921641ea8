import type { Command } from '../command.ts'
import { detectors } from './detectors.ts'
import { explain } from './explain.ts'
import { scan } from './scan.ts'

/** Every command, in the order in which help and reference show them. */
export const commands = [scan, detectors, explain] as unknown as readonly Command[]
