import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { buildApp } from '../app.ts'
import { startTestApp, type TestApp } from '../testing/start-test-app.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const started: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of started.splice(0)) await one.close()
})

const built = '<head><!--site-facts--></head><body><nav><a href="/status">Status</a><!--site-links--></nav></body>'

async function serve(environment: Record<string, string>) {
  const app: TestApp = await startTestApp({ environment })
  const siteDir = temporaryFolder()
  for (const name of ['index.html', 'shell.html']) writeFileSync(join(siteDir, name), built)
  const site = await buildApp({ ...app.deps, siteDir }, [])
  started.push(site, app)
  return (url: string, headers: Record<string, string> = {}) =>
    site.inject({ method: 'GET', url, headers: { accept: 'text/html', ...headers } })
}

const writeTerms = (text: string): string => {
  const path = join(temporaryFolder(), 'terms.md')
  writeFileSync(path, text)
  return path
}

describe("the operator's pages", () => {
  test('a file is served as a page, its Markdown rendered under the title of the page', async () => {
    const get = await serve({ TERMS_PAGE: writeTerms('# Our terms\n\n## Liability\n\nUse it at **your** risk.\n') })
    const page = await get('/terms')
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.body).toContain('<h1>Terms</h1>')
    expect(page.body).toContain('<h2>Liability</h2>')
    expect(page.body).toContain('Use it at <strong>your</strong> risk.')
    expect(page.body).not.toContain('Our terms')
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
  })

  test('an address elsewhere is linked, and the own path leads to it', async () => {
    const get = await serve({ PRIVACY_PAGE: 'https://example.com/privacy', CONTACT_PAGE: 'mailto:help@example.com' })
    expect((await get('/')).body).toContain(
      '<a href="https://example.com/privacy" class="underline">Privacy</a><a href="mailto:help@example.com" class="underline">Contact</a>',
    )
    const answer = await get('/privacy')
    expect([answer.statusCode, answer.headers.location]).toEqual([302, 'https://example.com/privacy'])
  })

  test('the first page has the links, the application reads them from its head', async () => {
    const get = await serve({ TERMS_PAGE: writeTerms('Terms.'), PRIVACY_PAGE: 'https://example.com/?a="b"&c' })
    const facts =
      /<meta name="assay-site" content="([^"]*)" \/>/
        .exec((await get('/scans')).body)?.[1]
        ?.replaceAll('&quot;', '"') ?? ''
    expect(JSON.parse(facts.replaceAll('&amp;', '&'))).toEqual({
      signIn: [],
      links: [
        { label: 'Terms', href: '/terms' },
        { label: 'Privacy', href: 'https://example.com/?a="b"&c' },
      ],
    })
    expect((await get('/')).body).toContain('<a href="/terms" class="underline">Terms</a>')
  })

  test('without settings there is no link, no fact and no page of its own', async () => {
    const get = await serve({})
    for (const url of ['/', '/terms', '/scans'])
      expect((await get(url)).body, url).toBe('<head></head><body><nav><a href="/status">Status</a></nav></body>')
  })

  test('pages come compressed to those who take it, and not again to those who hold them', async () => {
    const get = await serve({ TERMS_PAGE: writeTerms('Terms.') })
    const pressed = await get('/', { 'accept-encoding': 'gzip, br' })
    expect([pressed.headers['content-encoding'], pressed.headers.vary]).toEqual(['br', 'accept-encoding'])
    expect(brotliDecompressSync(pressed.rawPayload).toString()).toBe((await get('/')).body)
    const held = await get('/', { 'if-none-match': String(pressed.headers.etag), 'accept-encoding': 'br' })
    expect([held.statusCode, held.body]).toEqual([304, ''])
  })
})
