import { defineCommand } from '../command.ts'
import { Complaint, exit } from '../io.ts'
import { choosePaint } from '../output/paint.ts'

/** Explains a vulnerability and its fix, or why a line is reported or not. */
export const explain = defineCommand({
  name: 'explain',
  summary: 'Explain a vulnerability and how to fix it.',
  parameters: '<id, number or words…>',
  details: [
    'Takes the id that a scan prints, a number (`SWC-107`, `CWE-841`, `SC05:2025`), a Slither or Aderyn id, or everyday words in quotes (`"first depositor"`).',
    'With --why it scans one file and shows what is reported on one line, and which candidates were dismissed for which reason.',
  ],
  options: {
    why: { value: 'file:line', description: 'Show why a line is reported or not.' },
    color: {
      value: 'when',
      choices: ['auto', 'always', 'never'],
      default: 'auto',
      description: 'Colors in text output.',
    },
  },
  examples: [
    { line: 'assay explain reentrancy', does: 'By id.' },
    { line: 'assay explain SWC-107', does: 'By number; several detectors may share one.' },
    { line: 'assay explain "first depositor"', does: 'By everyday words, or by an id of Slither or Aderyn.' },
    { line: 'assay explain --why Vault.sol:42', does: 'Why line 42 is reported, or why it is not.' },
  ],

  async run({ paths, options, io }) {
    const paint = choosePaint(options.color, io)
    if (options.why !== undefined) {
      const { explainPlace } = await import('../explain-place.ts')
      io.out.write(await explainPlace(options.why, paths, paint, io))
      return exit.clean
    }
    if (paths.length === 0) throw new Complaint('Name a detector: assay explain <id, number or words>.')
    const { explainDetectors } = await import('../explain-detectors.ts')
    io.out.write(await explainDetectors(paths, paint, io))
    return exit.clean
  },
})
