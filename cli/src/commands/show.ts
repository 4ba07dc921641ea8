import { defineCommand } from '../command.ts'
import { readProjectSources, sourceOptions, toSourceRequest } from '../input/read-project.ts'
import { Complaint, exit } from '../io.ts'
import { show as texts } from '../messages/commands.ts'
import { safeText } from '../output/pipeline-safe.ts'
import { printable } from '../output/printable.ts'
import { reportProject } from '../output/report-project.ts'
import { drawDot } from '../show/draw-dot.ts'
import { drawMermaid } from '../show/draw-mermaid.ts'
import { drawSvg } from '../show/draw-svg.ts'
import { drawText } from '../show/draw-text.ts'
import { type ViewName, viewNames, viewsOf } from '../show/views.ts'

const drawings = { text: drawText, mermaid: drawMermaid, dot: drawDot, svg: drawSvg }
/** Former names. */
const aliases: Readonly<Record<string, ViewName>> = { calls: 'call-graph' }

/** Draws what an auditor looks for first. */
export const show = defineCommand({
  name: 'show',
  summary: texts.showRolesEntryPoints,
  parameters: '<view> [files or folders…]',
  details: [texts.viewsRolesWhoMay, texts.aidReadingCodeWhether],
  options: {
    as: {
      value: 'drawing',
      choices: ['text', 'mermaid', 'dot', 'svg', 'json'],
      default: 'text',
      description: texts.outputTableTreeMermaid,
    },
    contract: { value: 'name', isRepeatable: true, description: texts.showOnlyTheseContracts },
    ...sourceOptions,
  },
  examples: [
    { line: texts.assayShowAttackSurface, does: texts.openEntryPointsFirst },
    { line: texts.assayShowRoles, does: texts.whoCanCallWhat },
    { line: texts.assayShowStorageContracts, does: texts.slotsEachVariable },
    { line: texts.assayShowControlFlow, does: texts.graphOfEachFunction },
    { line: texts.assayShowInheritanceAs, does: texts.graphGithubGitlabRender },
  ],

  async run({ paths: [word, ...paths], options, io }) {
    const view = aliases[word ?? ''] ?? word
    if (view === undefined || !viewNames.includes(view as ViewName))
      throw new Complaint(texts.nameViewAssayShow(viewNames.join(' | ')))
    const sources = await readProjectSources(toSourceRequest(paths.length > 0 ? paths : ['.'], options), io)
    const { outlineOf, selectContracts } = await import('../show/outline-of.ts')
    const contracts = selectContracts(await outlineOf(sources), options.contract)
    reportProject(sources, io)
    const views = viewsOf(view as ViewName, contracts)
    if (options.as === 'json') io.out.write(`${JSON.stringify({ view, views }, null, 2)}\n`)
    else {
      const draw = drawings[options.as as keyof typeof drawings]
      const text = views.map(draw).join('\n')
      io.out.write(options.as === 'text' ? safeText(printable(text)) : text)
    }
    return sources.unreadable.length > 0 ? exit.failed : exit.clean
  },
})
