import { defineCommand } from '../command.ts'
import { Complaint, exit } from '../io.ts'
import { explain as texts } from '../messages/commands.ts'
import { choosePaint } from '../output/paint.ts'

/** Explains a vulnerability and its fix, or why a line is reported or not. */
export const explain = defineCommand({
  name: 'explain',
  summary: texts.explainVulnerabilityHowFix,
  parameters: '<id, number or words…>',
  details: [texts.takesIdScanPrints, texts.whyScansOneFile],
  options: {
    why: { value: 'file:line', description: texts.showWhyLineReported },
    ast: { value: 'file:line', description: texts.showTreeLine },
    color: {
      value: 'when',
      choices: ['auto', 'always', 'never'],
      default: 'auto',
      description: texts.colorsTextOutput,
    },
  },
  examples: [
    { line: texts.assayExplainReentrancy, does: 'By id.' },
    { line: texts.assayExplainSwc, does: texts.numberSeveralDetectorsMay },
    { line: texts.assayExplainFirstDepositor, does: texts.everydayWordsIdSlither },
    { line: texts.assayExplainWhyVault, does: texts.whyLineReportedWhy },
    { line: 'assay explain --ast contracts/Vault.sol:5', does: texts.treeOfLine },
  ],

  async run({ paths, options, io }) {
    const paint = choosePaint(options.color, io)
    if (options.why !== undefined) {
      const { explainPlace } = await import('../explain-place.ts')
      io.out.write(await explainPlace(options.why, paths, paint, io))
      return exit.clean
    }
    if (options.ast !== undefined) {
      const { explainTree } = await import('../explain-place.ts')
      io.out.write(await explainTree(options.ast, io))
      return exit.clean
    }
    if (paths.length === 0) throw new Complaint('Name a detector: assay explain <id, number or words>.')
    const { explainDetectors } = await import('../explain-detectors.ts')
    io.out.write(await explainDetectors(paths, paint, io))
    return exit.clean
  },
})
