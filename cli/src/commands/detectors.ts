import type { Detector } from '@assay/engine'
import { defineCommand } from '../command.ts'
import { exit } from '../io.ts'
import { detectors as texts } from '../messages/commands.ts'
import { choosePaint } from '../output/paint.ts'
import { severityStyles } from '../output/severity-styles.ts'

/** Lists what can be found. */
export const detectors = defineCommand({
  name: 'detectors',
  summary: texts.listAllDetectors,
  parameters: '',
  details: [texts.detectorsWithoutSwcNumber],
  options: {
    format: {
      value: 'format',
      choices: ['text', 'json'],
      default: 'text',
      short: 'f',
      description: texts.tableJson,
    },
    color: {
      value: 'when',
      choices: ['auto', 'always', 'never'],
      default: 'auto',
      description: texts.colorsTextOutput,
    },
  },
  examples: [{ line: 'assay detectors', does: texts.oneLinePerDetector }],

  async run({ options, io }) {
    const { detectors: all } = await import('../scan/find-detectors.ts')
    const sorted = [...all].sort(byNumber)
    if (options.format === 'json') {
      io.out.write(`${JSON.stringify({ detectors: sorted }, null, 2)}\n`)
      return exit.clean
    }
    const paint = choosePaint(options.color, io)
    const width = Math.max(...sorted.map(({ id }) => id.length))
    for (const { id, swc, severity, title } of sorted) {
      const rank = paint(severityStyles[severity], severity.padEnd(8))
      io.out.write(`${(swc ?? '–').padEnd(8)} ${rank}  ${id.padEnd(width)}  ${title}\n`)
    }
    return exit.clean
  },
})

/** By SWC number, then the advisories by id. */
const byNumber = (a: Detector, b: Detector): number =>
  Number(a.swc === null) - Number(b.swc === null) ||
  (a.swc ?? a.id).localeCompare(b.swc ?? b.id) ||
  a.id.localeCompare(b.id)
