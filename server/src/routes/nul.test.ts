import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeOnEachDatabase } from '../testing/describe-on-each-database.ts'
import { useTestApp } from '../testing/start-test-app.ts'
import { routes } from './index.ts'

const fieldsOf = (schema: z.ZodType | undefined): string[] =>
  schema instanceof z.ZodObject ? Object.keys(schema.shape as object) : []

/** Every field of every route that takes JSON or a query, with a NUL in it. */
const attempts = routes
  .filter(({ bodyKind }) => bodyKind !== 'upload' && bodyKind !== 'raw')
  .flatMap((route) => [
    ...fieldsOf(route.body).map((field) => ({ route, field, part: 'body' as const })),
    ...fieldsOf(route.query).map((field) => ({ route, field, part: 'query' as const })),
  ])

describeOnEachDatabase('a NUL byte', (context) => {
  const suite = useTestApp(context)

  test('400: in any field of any route, and never 500', async () => {
    const account = await suite.app.signUp({ plan: 'pro' })
    const { keyValue } = await suite.app.makeKey(account)
    const wrong: string[] = []
    for (const { route, field, part } of attempts) {
      const url = route.url.replace(/:\w+/g, 'x') + (part === 'query' ? `?${field}=a%00b` : '')
      const headers =
        route.access === 'session' || route.access === 'public' ? account.session : { 'x-api-key': keyValue }
      const payload = part === 'body' ? { userId: account.userId, [field]: 'a\0b' } : undefined
      const answer = await suite.app.inject({ method: route.method, url, headers, ...(payload && { payload }) })
      // Whose account it is comes first; a page for people may not be there at all.
      const isFine =
        answer.statusCode === 400 || (field === 'userId' && answer.statusCode === 403) || answer.statusCode === 404
      if (!isFine) wrong.push(`${route.method} ${route.url} ${part} ${field}: ${answer.statusCode}`)
    }
    expect(wrong).toEqual([])
    expect(attempts.length).toBeGreaterThan(25)
  })

  test('400: deep inside a body, with the place named', async () => {
    const { session } = await suite.app.signUp({ plan: 'pro' })
    const body = { url: 'https://receiver.example', events: ['scan.completed', 'scan\0'] }
    const answer = await suite.app.post('/api/v1/webhooks', body, session)
    expect([answer.statusCode, answer.json()]).toEqual([400, { error: 'events.1 must not contain a NUL character.' }])
  })
})
