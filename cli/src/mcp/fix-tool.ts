import { unifiedDiff } from '@assay/engine'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { fixProject } from '../fix/fix-project.ts'
import { readProjectSources, toSourceRequest } from '../input/read-project.ts'
import type { Io } from '../io.ts'
import { server as texts } from '../messages/mcp.ts'
import { textOf } from '../scan/programs.ts'
import { answer, below, orRefuse, paths, thatFit } from './answer.ts'

const detectorWords = z.array(z.string().max(100)).max(50).default([])

const fixed = z.object({
  patches: z.array(z.object({ place: z.string(), detector: z.string(), title: z.string(), unsafe: z.boolean() })),
  diffs: z.array(z.object({ file: z.string(), diff: z.string() })).describe(texts.unifiedDiffsGitApply),
  isCompiled: z.boolean().describe(texts.whetherEachPatchedCompiled),
  omitted: z.number().int().describe(texts.filesWhoseDiffLeft),
})

/** The patches of `assay fix`, shown and not written. */
export function registerFix(server: McpServer, io: Io): void {
  server.registerTool(
    'fix',
    {
      title: texts.fixFindingsPatches,
      description: texts.unifiedDiffsFindingsSafe,
      inputSchema: z.object({ paths, only: detectorWords, skip: detectorWords, unsafe: z.boolean().default(false) }),
      outputSchema: fixed,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    ({ paths: words, only, skip, unsafe }) =>
      orRefuse(async () => {
        const values = { scope: 'product', include: [], exclude: [], remappings: [], root: io.folder } as const
        const request = toSourceRequest(below(words, io), values)
        const sources = await readProjectSources(request, io)
        const programs = await fixProject(sources, request, { only, skip, unsafe }, io)
        let isCompiled = true
        const patches: z.infer<typeof fixed>['patches'] = []
        const diffs: z.infer<typeof fixed>['diffs'] = []
        for await (const { program, fixed: part } of programs) {
          isCompiled &&= part.compilation === 'compiled' || part.compilation === 'unneeded'
          for (const { path, finding, fix } of part.applied)
            patches.push({
              place: `${path}:${finding.line}:${finding.column}`,
              detector: finding.detector,
              title: fix.title,
              unsafe: fix.safety === 'unsafe',
            })
          for (const [file, text] of part.texts)
            diffs.push({ file, diff: unifiedDiff(file, textOf(program, file), text) })
        }
        const shown = thatFit(diffs, 0.6)
        return answer({
          patches: thatFit(patches, 0.2),
          diffs: shown,
          isCompiled,
          omitted: diffs.length - shown.length,
        })
      }),
  )
}
