import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { readAccuracy } from './src/landing/accuracy-rows.ts'
import { earlyPage } from './src/landing/early-page.ts'

const accuracyPage = join(import.meta.dirname, '../docs/reference/accuracy.md')
const accuracy = existsSync(accuracyPage) ? readAccuracy(readFileSync(accuracyPage, 'utf8')) : []

const ROOT = '<div id="root"></div>'

/** The first page is there before the application: in `index.html` alone. Every other address gets `shell.html`, which has none of it. */
function writeEarlyPage(): Plugin {
  return {
    name: 'early-page',
    apply: 'build',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset' || typeof page.source !== 'string' || !page.source.includes(ROOT))
        throw new Error('index.html has no root to fill')
      const shell = page.source
      page.source = shell.replace(ROOT, () => `<div id="root">${earlyPage()}</div>`)
      this.emitFile({ type: 'asset', fileName: 'shell.html', source: shell })
    },
  }
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), writeEarlyPage()],
  define: { ACCURACY_ROWS: JSON.stringify(accuracy) },
  // A data: address for a small asset would need a wider Content-Security-Policy.
  build: { outDir: 'dist', emptyOutDir: true, assetsInlineLimit: 0, target: 'es2022' },
  worker: { format: 'es' },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/openapi.json': 'http://127.0.0.1:3000' } },
})
