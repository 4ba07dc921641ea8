import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { fontLicenses, writeFonts } from './fonts.ts'
import { planOffers } from './src/generated/plan-offers.ts'
import { readAccuracy } from './src/landing/accuracy-rows.ts'
import { landingPage } from './src/landing/page.ts'
import { scanExample } from './src/playground/example-result.ts'
import { ownDetectors } from './src/playground/own-detectors.ts'

const accuracyPage = join(import.meta.dirname, '../docs/reference/accuracy.md')
const accuracy = existsSync(accuracyPage) ? readAccuracy(readFileSync(accuracyPage, 'utf8')) : []

const example = scanExample()

await writeFonts(join(import.meta.dirname, '.cache'))

const PLACE = '<!--landing-->'
const HEAD = '<!--head-->'

/** Both pages begin with what `head.html` says. */
function head(): Plugin {
  return {
    name: 'head',
    transformIndexHtml: {
      order: 'pre',
      handler(html) {
        if (!html.includes(HEAD)) throw new Error('a page has no place for its head')
        return html.replace(HEAD, () => readFileSync(join(import.meta.dirname, 'head.html'), 'utf8'))
      },
    },
  }
}

/** `index.html` is the first page, as plain HTML. Every other address gets `shell.html`, which has none of it and starts the application. */
function landing(): Plugin {
  return {
    name: 'landing',
    transformIndexHtml(html, { path }) {
      if (path === '/shell.html') return html
      if (!html.includes(PLACE)) throw new Error('index.html has no place for the first page')
      return html.replace(PLACE, () => landingPage(accuracy, planOffers, example, ownDetectors()))
    },
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        const isPage = request.headers.accept?.includes('text/html') && /^\/[^.@]/.test(request.url ?? '')
        if (isPage) request.url = '/shell.html'
        next()
      })
    },
  }
}

/** The typeface of the texts is fetched with the style, not after it. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    // Their licenses ask to be shipped beside them.
    generateBundle() {
      for (const [name, text] of fontLicenses())
        this.emitFile({ type: 'asset', fileName: `assets/${name}-license.txt`, source: text })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => /inter-[^/]*\.woff2$/.test(name))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}

/** Below this the headers cost more than is gained. */
const MIN_BYTES = 1400

/** Compressed once and as far as it goes, beside each file: the service sends these, and need not press anything itself. */
function compress(): Plugin {
  return {
    name: 'compress',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|html|svg)$/.test(name)) continue
        const content = readFileSync(join(dir, name))
        if (content.length >= MIN_BYTES) writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content))
      }
    },
  }
}

/** What the playground of the first page shares with the application: it must not load more of it. */
const ofFirstPage =
  /src\/(?:components\/(?:format|rating-color|severities)|playground\/(?:example|line-range|live-scanner|marks)|messages\/(?:landing|playground)|result\/(?:housekeeping|priority)|scan-form\/draft)\.ts$/

/** What loads other scripts: all that the first page needs before somebody uses it. */
const ofLoading = /preload-helper|rolldown[\\/]runtime/

/** What shows a result with its code; nothing outside of these names it. */
const ofResults =
  /src\/(?:(?:result|fixes)\/.*\.tsx|result\/(?:ether|excerpt|file-tree|lines-of-code|missing-imports|opinion-words|order|tally|tree-rows|use-\w[\w-]*)\.ts|fixes\/\w[\w-]*\.ts|messages\/fixes\.ts|compare\/diff-lines\.ts|components\/(?:source-view|score-gauge|references|download-link)\.tsx|components\/(?:highlight|fold-ranges|mark-columns|code-position|find-places|reveal-row|use-keys|use-media)\.ts|playground\/scan-in-browser\.ts)$|react-virtual|virtual-core/

/** What takes files in, for the two pages that scan. */
const ofUploads =
  /src\/(?:scan-form\/(?:local-result|source-input|numbered-editor|read-dropped|open-archive)\.tsx?|messages\/scan-form\.ts)$/

/** Rows and charts of scans. */
const ofLists = /src\/(?:history\/scan-row|components\/(?:severity-bar|trend-chart|shares-of-time))\.tsx?$/

/** For accounts with a second factor: loaded when it is due. */
const forFew = /src\/second-factor\/(?:prove-form|passkey)\.tsx?$/

/** Few files, as each costs a kilobyte of headers: what pages share is one, what shows a result another. */
const groups = [
  { name: 'load', test: ofLoading, priority: 40 },
  { name: 'first', test: ofFirstPage, priority: 30 },
  ...Object.entries({ result: ofResults, uploads: ofUploads, lists: ofLists }).map(([name, test]) => ({
    name,
    test,
    priority: 20,
    includeDependenciesRecursively: false,
  })),
  {
    name: 'application',
    test: (id: string) => /node_modules|src\//.test(id) && !forFew.test(id),
    priority: 10,
    minShareCount: 2,
  },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), head(), landing(), preloadFont(), compress()],
  // A data: address for a small asset would need a wider Content-Security-Policy.
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2022',
    // Browsers without it load the same files a little later.
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { landing: join(import.meta.dirname, 'index.html'), shell: join(import.meta.dirname, 'shell.html') },
      output: { codeSplitting: { groups } },
    },
  },
  worker: { format: 'es' },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/openapi.json': 'http://127.0.0.1:3000' } },
})
