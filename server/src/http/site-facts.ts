import type { Config, OwnPage } from '../core/config.ts'
import { ownPages as texts } from '../messages/pages.ts'
import { escapeHtml } from '../services/compose-mail.ts'

/** What the operator configured and every page of the dashboard shows. */
export interface SiteFacts {
  /** The operator's own pages, for the footer. */
  readonly links: readonly { readonly label: string; readonly href: string }[]
  /** Whom people may sign in with, beside email and password. */
  readonly signIn: readonly { readonly id: string; readonly name: string }[]
}

export interface OwnPageEntry {
  readonly path: string
  readonly label: string
  readonly page: OwnPage
}

/** The operator's pages that are configured, in the order of the footer. */
export function ownPagesOf({ termsPage, privacyPage, contactPage }: Config): OwnPageEntry[] {
  const all = [
    { path: '/terms', label: texts.terms, page: termsPage },
    { path: '/privacy', label: texts.privacy, page: privacyPage },
    { path: '/contact', label: texts.contact, page: contactPage },
  ]
  return all.filter((entry): entry is OwnPageEntry => entry.page !== undefined)
}

interface SiteDeps {
  config: Config
  signInProviders: readonly { readonly id: string; readonly name: string }[]
}

export const describeSite = ({ config, signInProviders }: SiteDeps): SiteFacts => ({
  signIn: signInProviders.map(({ id, name }) => ({ id, name })),
  links: ownPagesOf(config).map(({ path, label, page }) => ({ label, href: 'url' in page ? page.url : path })),
})

const FACTS = '<!--site-facts-->'
const LINKS = '<!--site-links-->'

/** The first page has the links as HTML, which needs no script; the application reads the facts from its head. */
export function fillSitePage(html: string, facts: SiteFacts): string {
  if (Object.values(facts).every((list) => list.length === 0)) return html.replace(FACTS, '').replace(LINKS, '')
  const links = facts.links.map(({ label, href }) => `<a href="${escapeHtml(href)}" class="underline">${label}</a>`)
  return html
    .replace(FACTS, () => `<meta name="assay-site" content="${escapeHtml(JSON.stringify(facts))}" />`)
    .replace(LINKS, () => links.join(''))
}
