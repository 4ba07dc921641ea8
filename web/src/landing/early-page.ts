import { exampleSource } from '../playground/example.ts'
import { headline, lead, promise } from './words.ts'

/** The field of the page that is there first: what is typed into it before the application has loaded is kept. */
export const EARLY_FIELD = 'early-source'

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/**
 * The first page as plain HTML, in the built `index.html`: on a slow line it can be read, left by its links and typed into while the application
 * is still on its way, which then takes its place. Set in the same classes, so that nothing jumps.
 */
export const earlyPage = (): string => `
      <header class="border-b border-line bg-panel">
        <div class="mx-auto flex items-center gap-x-4 px-4 py-2 sm:px-6">
          <a href="/" class="flex items-center gap-2 font-semibold"><img src="/favicon.svg" alt="" width="26" height="26" />Assay</a>
          <a href="/login" class="ml-auto text-sm">Log in</a>
          <a href="/register" class="rounded-md bg-accent px-3 py-1.5 text-sm font-medium text-accent-ink">Sign up</a>
        </div>
      </header>
      <main class="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6">
        <h1 class="max-w-3xl text-3xl font-semibold sm:text-4xl">${escapeHtml(headline)}</h1>
        <p class="mt-3 max-w-3xl text-lg text-soft">${escapeHtml(lead)}</p>
        <h2 class="mt-10 text-xl font-semibold">Try it here</h2>
        <p class="text-sm text-soft">${escapeHtml(promise)}</p>
        <textarea id="${EARLY_FIELD}" aria-label="Contract source" wrap="off" spellcheck="false" class="mt-4 block h-[28rem] w-full rounded-lg border border-line bg-panel p-3 font-mono text-xs leading-5">
${escapeHtml(exampleSource)}</textarea>
      </main>
    `

/** What the visitor made of it; undefined when nothing was changed. Asked once, before the application takes its place. */
export function takeEarlySource(page: Pick<Document, 'getElementById'>): string | undefined {
  const field = page.getElementById(EARLY_FIELD) as { readonly value?: string } | null
  return field?.value !== undefined && field.value !== exampleSource ? field.value : undefined
}
