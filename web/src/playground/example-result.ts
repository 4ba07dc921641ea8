// By its path, not by its name: the build of the pages loads this file before the workspaces can be resolved.
import { scan, toScanResult } from '../../../engine/src/index.ts'
import type { ViewScan } from '../result/scan-view.ts'
import { exampleName, exampleSource } from './example.ts'

/** The scan of the example, made when the pages are built. */
export const scanExample = (): ViewScan =>
  toScanResult(scan(exampleSource, { path: exampleName }), { scanId: 'example', file: exampleName })
