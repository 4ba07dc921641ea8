/** What the operator of this service configured, as the page says it. */
export interface Site {
  readonly links: readonly { readonly label: string; readonly href: string }[]
  /** Whom people may sign in with, beside email and password. */
  readonly signIn: readonly { readonly id: string; readonly name: string }[]
}

const nothing: Site = { links: [], signIn: [] }

export function readSite(page: Pick<Document, 'querySelector'> = document): Site {
  const text = page.querySelector<HTMLMetaElement>('meta[name="assay-site"]')?.content
  return text ? { ...nothing, ...(JSON.parse(text) as Partial<Site>) } : nothing
}
