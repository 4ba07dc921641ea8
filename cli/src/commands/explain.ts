import { defineCommand } from '../command.ts'
import { Complaint, exit } from '../io.ts'
import { choosePaint } from '../output/paint.ts'

/** Says what a weakness is and how to mend it, or why a line is reported or passed over. */
export const explain = defineCommand({
  name: 'explain',
  summary: 'Explain a weakness and how to mend it.',
  parameters: '<id or SWC number…>',
  details: [
    'Takes the ids that a scan prints, `SWC-107` or just `107`.',
    'With --why it scans one file and tells of one line what is reported there, and what was weighed and passed over, with the excuse that silenced it.',
  ],
  options: {
    why: { value: 'file:line', description: 'Tell why a line is reported, or which excuse silenced it.' },
    color: {
      value: 'when',
      choices: ['auto', 'always', 'never'],
      default: 'auto',
      description: 'Colours in text output.',
    },
  },
  examples: [
    { line: 'assay explain reentrancy', does: 'By id.' },
    { line: 'assay explain SWC-107', does: 'By number; several detectors may share one.' },
    { line: 'assay explain --why Vault.sol:42', does: 'Why line 42 is reported, or why it is not.' },
  ],

  async run({ paths, options, io }) {
    const paint = choosePaint(options.color, io)
    if (options.why !== undefined) {
      const { explainPlace } = await import('../explain-place.ts')
      io.out.write(await explainPlace(options.why, paths, paint, io))
      return exit.clean
    }
    if (paths.length === 0) throw new Complaint('Name a detector: assay explain <id or SWC number>.')
    const { explainDetectors } = await import('../explain-detectors.ts')
    io.out.write(await explainDetectors(paths, paint, io))
    return exit.clean
  },
})
