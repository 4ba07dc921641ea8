import { defineCommand } from '../command.ts'
import { readProjectSources, sourceOptions, toSourceRequest } from '../input/read-project.ts'
import { Complaint, exit } from '../io.ts'
import { safeText } from '../output/pipeline-safe.ts'
import { printable } from '../output/printable.ts'
import { tellProject } from '../output/tell-project.ts'
import { drawMermaid } from '../show/draw-mermaid.ts'
import { drawSvg } from '../show/draw-svg.ts'
import { drawText } from '../show/draw-text.ts'
import { type ViewName, viewNames, viewsOf } from '../show/views.ts'

/** Draws what an auditor looks for first. */
export const show = defineCommand({
  name: 'show',
  summary: 'Show roles, entry points, inheritance, calls or storage of contracts.',
  parameters: '<view> [files or folders…]',
  details: [
    'Views: roles (who may call what, and what it writes), entry-points (with their external calls), inheritance, calls (who calls whom), storage (slots and offsets).',
    'An aid for reading code. Whether a guard is effective is checked by `assay scan`.',
  ],
  options: {
    as: {
      value: 'drawing',
      choices: ['text', 'mermaid', 'svg', 'json'],
      default: 'text',
      description: 'Output: table or tree, Mermaid, SVG, or JSON.',
    },
    contract: { value: 'name', isRepeatable: true, description: 'Show only these contracts.' },
    ...sourceOptions,
  },
  examples: [
    { line: 'assay show roles', does: 'Who can call what in the current project.' },
    { line: 'assay show storage contracts/Vault.sol', does: 'Slots of each variable.' },
    { line: 'assay show inheritance --as mermaid', does: 'A graph that GitHub and GitLab render.' },
  ],

  async run({ paths: [view, ...paths], options, io }) {
    if (view === undefined || !viewNames.includes(view as ViewName))
      throw new Complaint(`Name a view: assay show <${viewNames.join(' | ')}> [files or folders…].`)
    const sources = await readProjectSources(toSourceRequest(paths.length > 0 ? paths : ['.'], options), io)
    const { outlineOf, selectContracts } = await import('../show/outline-of.ts')
    const contracts = selectContracts(await outlineOf(sources), options.contract)
    tellProject(sources, io)
    const views = viewsOf(view as ViewName, contracts)
    if (options.as === 'json') io.out.write(`${JSON.stringify({ view, views }, null, 2)}\n`)
    else {
      const draw = { text: drawText, mermaid: drawMermaid, svg: drawSvg }[options.as as 'text' | 'mermaid' | 'svg']
      const text = views.map(draw).join('\n')
      io.out.write(options.as === 'text' ? safeText(printable(text)) : text)
    }
    return sources.unreadable.length > 0 ? exit.failed : exit.clean
  },
})
