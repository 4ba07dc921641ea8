import { z } from 'zod'
import { problemName, problemTitle, type RefusalName, refusals, refuse } from '../core/errors.ts'
import { defineRoute } from '../http/define-route.ts'
import { headerNames, sampleWords } from '../http/sample-words.ts'

const byName = new Map((Object.keys(refusals) as RefusalName[]).map((name) => [problemName(name), name]))

export default defineRoute({
  method: 'GET',
  url: '/problems/:name',
  summary: 'What a kind of refusal means',
  description: 'Where the `type` of an `application/problem+json` answer leads.',
  tag: 'Service',
  access: 'public',
  needsDatabase: false,
  params: z.object({ name: z.string() }),
  responses: {
    200: {
      description: 'The kind, its status and an example of its words.',
      schema: z.object({
        type: z.string(),
        title: z.string(),
        status: z.int(),
        example: z.string(),
        headers: z.array(z.string()).describe('Headers that carry machine detail.'),
      }),
      example: {
        type: '/problems/hour-spent',
        title: 'Hour spent',
        status: 429,
        example: 'API rate limit exceeded',
        headers: ['retry-after'],
      },
    },
  },
  refusals: ['problemNotFound'],
  async handle(_deps: object, { params }) {
    const name = byName.get(params.name) ?? refuse('problemNotFound')
    return {
      type: `/problems/${params.name}`,
      title: problemTitle(name),
      status: refusals[name][0],
      example: sampleWords(name),
      headers: headerNames(name),
    }
  },
})
