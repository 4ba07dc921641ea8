import { attackScenarios, type Detector, type DetectorExample, findWeakness, loadDetectorExamples } from '@assay/engine'
import { defineCommand } from '../command.ts'
import { explainPlace } from '../explain-place.ts'
import { Complaint, exit, type Io } from '../io.ts'
import { choosePaint, type Paint } from '../output/paint.ts'
import { severityStyles } from '../output/severity-styles.ts'
import { wrap } from '../output/wrap.ts'
import { findDetectors, unknownDetector } from '../scan/select-findings.ts'

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
      io.out.write(await explainPlace(options.why, paths, paint, io))
      return exit.clean
    }
    if (paths.length === 0) throw new Complaint('Name a detector: assay explain <id or SWC number>.')
    const wanted = paths.flatMap((name) => {
      const found = findDetectors(name)
      if (found.length === 0) throw new Complaint(`${name}: ${unknownDetector(name)}`)
      return found
    })
    const examples = await loadDetectorExamples()
    io.out.write(`${wanted.map((detector) => explanation(detector, examples[detector.id], paint, io)).join('\n\n')}\n`)
    return exit.clean
  },
})

function explanation(detector: Detector, example: DetectorExample | undefined, paint: Paint, io: Io): string {
  const width = Math.min(io.out.columns, 100)
  const weakness = detector.swc ? findWeakness(detector.swc) : undefined
  const facts = [
    detector.swc ?? 'advisory',
    detector.id,
    `${detector.confidence} confidence`,
    ...(weakness?.cwe ?? detector.cwe),
  ]
  return [
    `${paint(severityStyles[detector.severity], detector.severity)}  ${paint('bold', detector.title)}`,
    paint('dim', facts.join(' · ')),
    '',
    ...wrap(detector.description, width),
    ...numbered('How it is attacked', attackScenarios[detector.id] ?? [], width, paint),
    '',
    paint('green', 'How to mend it'),
    ...wrap(detector.recommendation, width),
    ...code('Reported', example?.vulnerable, paint),
    ...code('Not reported', example?.safe, paint),
    ...(detector.excuses?.length
      ? [
          '',
          paint('green', 'Stays silent when'),
          ...detector.excuses.flatMap(({ name, sentence }) => wrap(`- ${sentence} (${name})`, width)),
        ]
      : []),
    ...(example?.limits.length
      ? ['', paint('green', 'Known limits'), ...example.limits.flatMap((limit) => wrap(`- ${limit}`, width))]
      : []),
    '',
    paint('green', 'References'),
    ...detector.references,
  ].join('\n')
}

const numbered = (title: string, steps: readonly string[], width: number, paint: Paint): string[] =>
  steps.length === 0
    ? []
    : ['', paint('green', title), ...steps.flatMap((step, index) => wrap(`${index + 1}. ${step}`, width))]

const code = (title: string, text: string | undefined, paint: Paint): string[] =>
  text ? ['', paint('green', title), ...text.split('\n').map((line) => `  ${line}`.trimEnd())] : []
