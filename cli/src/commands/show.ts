import { defineCommand } from '../command.ts'
import { readProjectSources, sourceOptions, toSourceRequest } from '../input/read-project.ts'
import { Complaint, exit } from '../io.ts'
import { show as texts } from '../messages/commands.ts'
import { safeText } from '../output/pipeline-safe.ts'
import { printable } from '../output/printable.ts'
import { reportProject } from '../output/report-project.ts'
import { drawMermaid } from '../show/draw-mermaid.ts'
import { drawSvg } from '../show/draw-svg.ts'
import { drawText } from '../show/draw-text.ts'
import { type ViewName, viewNames, viewsOf } from '../show/views.ts'

/** Draws what an auditor looks for first. */
export const show = defineCommand({
  name: 'show',
  summary: texts.showRolesEntryPoints,
  parameters: '<view> [files or folders…]',
  details: [texts.viewsRolesWhoMay, texts.aidReadingCodeWhether],
  options: {
    as: {
      value: 'drawing',
      choices: ['text', 'mermaid', 'svg', 'json'],
      default: 'text',
      description: texts.outputTableTreeMermaid,
    },
    contract: { value: 'name', isRepeatable: true, description: texts.showOnlyTheseContracts },
    ...sourceOptions,
  },
  examples: [
    { line: texts.assayShowRoles, does: texts.whoCanCallWhat },
    { line: texts.assayShowStorageContracts, does: texts.slotsEachVariable },
    { line: texts.assayShowInheritanceAs, does: texts.graphGithubGitlabRender },
  ],

  async run({ paths: [view, ...paths], options, io }) {
    if (view === undefined || !viewNames.includes(view as ViewName))
      throw new Complaint(texts.nameViewAssayShow(viewNames.join(' | ')))
    const sources = await readProjectSources(toSourceRequest(paths.length > 0 ? paths : ['.'], options), io)
    const { outlineOf, selectContracts } = await import('../show/outline-of.ts')
    const contracts = selectContracts(await outlineOf(sources), options.contract)
    reportProject(sources, io)
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
